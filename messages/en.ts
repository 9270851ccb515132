import account from './en/account.json'
import accountPage from './en/accountPage.json'
import attempt from './en/attempt.json'
import common from './en/common.json'
import credits from './en/credits.json'
import history from './en/history.json'
import images from './en/images.json'
import models from './en/models.json'
import mail from './en/mail.json'
import references from './en/references.json'
import share from './en/share.json'
import signIn from './en/signIn.json'
import studio from './en/studio.json'
import welcome from './en/welcome.json'

export const en = {
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
