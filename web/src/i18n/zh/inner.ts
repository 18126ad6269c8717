import { amount } from './amount.ts'
import { coming } from './coming.ts'
import { command } from './command.ts'
import { computing } from './computing.ts'
import { deposit } from './deposit.ts'
import { devices } from './devices.ts'
import { exchange } from './exchange.ts'
import { income } from './income.ts'
import { invitation } from './invitation.ts'
import { list } from './list.ts'
import { mine } from './mine.ts'
import { notices } from './notices.ts'
import { order } from './order.ts'
import { payment } from './payment.ts'
import { statement } from './statement.ts'
import { transfer } from './transfer.ts'
import { withdrawal } from './withdrawal.ts'

/** What the screens behind home say. */
export const inner = {
  ...amount,
  ...coming,
  ...command,
  ...computing,
  ...deposit,
  ...devices,
  ...exchange,
  ...income,
  ...invitation,
  ...list,
  ...mine,
  ...notices,
  ...order,
  ...payment,
  ...statement,
  ...transfer,
  ...withdrawal,
}
