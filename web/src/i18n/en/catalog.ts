import { amount } from './amount.ts'
import { coming } from './coming.ts'
import { computing } from './computing.ts'
import { deposit } from './deposit.ts'
import { devices } from './devices.ts'
import { exchange } from './exchange.ts'
import { home } from './home.ts'
import { income } from './income.ts'
import { invitation } from './invitation.ts'
import { list } from './list.ts'
import { mine } from './mine.ts'
import { notices } from './notices.ts'
import { order } from './order.ts'
import { outcome } from './outcome.ts'
import { payment } from './payment.ts'
import { shell } from './shell.ts'
import { statement } from './statement.ts'
import { transfer } from './transfer.ts'
import { withdrawal } from './withdrawal.ts'

export const en = {
  ...shell,
  ...statement,
  ...notices,
  ...devices,
  ...amount,
  ...outcome,
  ...transfer,
  ...exchange,
  ...home,
  ...computing,
  ...order,
  ...payment,
  ...deposit,
  ...withdrawal,
  ...mine,
  ...list,
  ...invitation,
  ...income,
  ...coming,
}
