import account from './en/account.json'
import accountPage from './en/accountPage.json'
import common from './en/common.json'
import references from './en/references.json'
import signIn from './en/signIn.json'

export const en = { account, accountPage, common, references, signIn }
