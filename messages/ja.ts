import account from './ja/account.json'
import accountPage from './ja/accountPage.json'
import common from './ja/common.json'
import references from './ja/references.json'
import signIn from './ja/signIn.json'

export const ja = { account, accountPage, common, references, signIn }
