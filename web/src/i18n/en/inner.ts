import { amount } from '../../ui/amount/texts.en.ts'
import { coming } from '../../screens/coming/texts.en.ts'
import { command } from '../../command/texts.en.ts'
import { computing } from '../../screens/computing/texts.en.ts'
import { deposit } from '../../screens/deposit/texts.en.ts'
import { devices } from '../../screens/devices/texts.en.ts'
import { exchange } from '../../screens/exchange/texts.en.ts'
import { income } from '../../screens/income-list/texts.en.ts'
import { invitation } from '../../screens/invitation/texts.en.ts'
import { list } from '../../screens/ranking/texts.en.ts'
import { mine } from '../../screens/mine/texts.en.ts'
import { notices } from '../../screens/notices/texts.en.ts'
import { order } from '../../screens/order/texts.en.ts'
import { payment } from '../../payment/texts.en.ts'
import { statement } from '../../screens/statement/texts.en.ts'
import { transfer } from '../../screens/transfer/texts.en.ts'
import { withdrawal } from '../../screens/withdrawal/texts.en.ts'

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
