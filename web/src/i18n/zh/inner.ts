import { amount } from '../../ui/amount/texts.zh.ts'
import { coming } from '../../screens/coming/texts.zh.ts'
import { command } from '../../command/texts.zh.ts'
import { computing } from '../../screens/computing/texts.zh.ts'
import { deposit } from '../../screens/deposit/texts.zh.ts'
import { devices } from '../../screens/devices/texts.zh.ts'
import { exchange } from '../../screens/exchange/texts.zh.ts'
import { income } from '../../screens/income-list/texts.zh.ts'
import { invitation } from '../../screens/invitation/texts.zh.ts'
import { list } from '../../screens/ranking/texts.zh.ts'
import { mine } from '../../screens/mine/texts.zh.ts'
import { notices } from '../../screens/notices/texts.zh.ts'
import { order } from '../../screens/order/texts.zh.ts'
import { payment } from '../../payment/texts.zh.ts'
import { statement } from '../../screens/statement/texts.zh.ts'
import { transfer } from '../../screens/transfer/texts.zh.ts'
import { withdrawal } from '../../screens/withdrawal/texts.zh.ts'

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
