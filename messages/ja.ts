import account from './ja/account.json'
import accountPage from './ja/accountPage.json'
import attempt from './ja/attempt.json'
import common from './ja/common.json'
import credits from './ja/credits.json'
import history from './ja/history.json'
import images from './ja/images.json'
import models from './ja/models.json'
import mail from './ja/mail.json'
import references from './ja/references.json'
import share from './ja/share.json'
import signIn from './ja/signIn.json'
import studio from './ja/studio.json'
import welcome from './ja/welcome.json'

export const ja = {
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
