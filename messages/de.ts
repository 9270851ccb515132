import account from './de/account.json'
import common from './de/common.json'
import references from './de/references.json'
import signIn from './de/signIn.json'

export const de = { account, common, references, signIn }
