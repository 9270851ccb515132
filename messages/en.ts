import account from './en/account.json'
import common from './en/common.json'
import signIn from './en/signIn.json'

export const en = { account, common, signIn }
