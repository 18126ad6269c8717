import { amount } from './amount.ts'
import { coming } from './coming.ts'
import { computing } from './computing.ts'
import { devices } from './devices.ts'
import { home } from './home.ts'
import { invitation } from './invitation.ts'
import { notices } from './notices.ts'
import { order } from './order.ts'
import { shell } from './shell.ts'
import { statement } from './statement.ts'
import { transfer } from './transfer.ts'

export const en = {
  ...shell,
  ...statement,
  ...notices,
  ...devices,
  ...amount,
  ...transfer,
  ...home,
  ...computing,
  ...order,
  ...invitation,
  ...coming,
}
