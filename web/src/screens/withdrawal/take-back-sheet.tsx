import { useState } from 'react'
import { ActionSheet } from '../../command/action-sheet.tsx'
import { invalidateAccount } from '../../command/invalidate-account.ts'
import { sendCommand } from '../../command/send-command.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { formatAmount } from '../../lib/format.ts'
import { useApp } from '../../session/app-context.tsx'
import { showToast } from '../../ui/overlay/toast.tsx'
import type { Withdrawal } from './withdrawal-types.ts'

/** Asks once more before a withdrawal that is not signed is taken back. */
export function TakeBackSheet({ withdrawal, close }: { withdrawal: Withdrawal | null; close: () => void }) {
  const { t } = useTranslation()
  const app = useApp()
  const [last, setLast] = useState(withdrawal)
  // The words stay while the sheet glides out.
  if (withdrawal !== null && withdrawal !== last) setLast(withdrawal)
  const shown = withdrawal ?? last
  const run = async () => {
    if (withdrawal === null) return
    const { withdrawalNo, amount, asset } = withdrawal
    const about = { withdrawalNo, amount, asset }
    // The failure has been told already.
    const done = await sendCommand(app, 'POST withdraw/cancel', { withdrawalNo }, { about }).catch(() => null)
    if (done !== null) showToast('done', t('withdraw.backDone', { amount: formatAmount(amount, 18), asset }))
    close()
    await invalidateAccount('GET withdraw/list', 'GET withdraw/quote')
  }
  return (
    <ActionSheet
      open={withdrawal !== null}
      title={t('withdraw.backTitle')}
      action={t('withdraw.back')}
      run={run}
      close={close}
    >
      {shown !== null && (
        <p>{t('withdraw.backText', { amount: formatAmount(shown.amount, 18), asset: shown.asset })}</p>
      )}
    </ActionSheet>
  )
}
