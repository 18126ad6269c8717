import { amount } from '../../ui/amount/texts.tw.ts'
import { coming } from '../../screens/coming/texts.tw.ts'
import { command } from '../../command/texts.tw.ts'
import { computing } from '../../screens/computing/texts.tw.ts'
import { deposit } from '../../screens/deposit/texts.tw.ts'
import { devices } from '../../screens/devices/texts.tw.ts'
import { exchange } from '../../screens/exchange/texts.tw.ts'
import { income } from '../../screens/income-list/texts.tw.ts'
import { invitation } from '../../screens/invitation/texts.tw.ts'
import { list } from '../../screens/ranking/texts.tw.ts'
import { mine } from '../../screens/mine/texts.tw.ts'
import { notices } from '../../screens/notices/texts.tw.ts'
import { order } from '../../screens/order/texts.tw.ts'
import { payment } from '../../payment/texts.tw.ts'
import { statement } from '../../screens/statement/texts.tw.ts'
import { transfer } from '../../screens/transfer/texts.tw.ts'
import { withdrawal } from '../../screens/withdrawal/texts.tw.ts'

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
