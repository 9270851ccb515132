import account from './de/account.json'
import accountPage from './de/accountPage.json'
import common from './de/common.json'
import references from './de/references.json'
import signIn from './de/signIn.json'

export const de = { account, accountPage, common, references, signIn }
