import { amount } from './amount.ts'
import { coming } from './coming.ts'
import { computing } from './computing.ts'
import { home } from './home.ts'
import { invitation } from './invitation.ts'
import { order } from './order.ts'
import { shell } from './shell.ts'
import { transfer } from './transfer.ts'

export const en = { ...shell, ...amount, ...transfer, ...home, ...computing, ...order, ...invitation, ...coming }
