import account from './de/account.json'
import accountPage from './de/accountPage.json'
import attempt from './de/attempt.json'
import common from './de/common.json'
import credits from './de/credits.json'
import history from './de/history.json'
import images from './de/images.json'
import models from './de/models.json'
import mail from './de/mail.json'
import references from './de/references.json'
import share from './de/share.json'
import signIn from './de/signIn.json'
import studio from './de/studio.json'
import welcome from './de/welcome.json'

export const de = {
  account,
  accountPage,
  attempt,
  common,
  credits,
  history,
  images,
  models,
  mail,
  references,
  share,
  signIn,
  studio,
  welcome,
}
