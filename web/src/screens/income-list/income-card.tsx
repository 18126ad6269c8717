import { languageTag } from '@candela/protocol/language'
import { useState } from 'react'
import { useRead } from '../../api/use-read.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { ChainLink } from '../../ui/control/chain-link.tsx'
import { formatTime } from '../../lib/format.ts'
import { Row } from '../../ui/list/row.tsx'
import { Sheet } from '../../ui/overlay/sheet.tsx'
import type { Income } from './income-type.ts'
import { OutputProof } from './output-proof.tsx'
import { ExactAmount } from '../../ui/amount/exact-amount.tsx'

/** Where one income comes from: computed again on this device from what is published. */
export function IncomeCard({ income, onClose }: { income: Income | null; onClose: () => void }) {
  const { t } = useTranslation()
  const [last, setLast] = useState(income)
  // The figures stay while the closing sheet moves out.
  if (income !== null && income !== last) setLast(income)
  const shown = income ?? last
  return (
    <Sheet open={income !== null} title={t(`income.${shown?.type ?? 'output'}`)} onClose={onClose}>
      {shown !== null && (
        <div className="income-card">
          <p className="explain-value">
            <ExactAmount value={shown.amount} unit={shown.asset} />
          </p>
          {shown.day === null ? <Referral income={shown} /> : <OutputProof income={shown} day={shown.day} />}
        </div>
      )}
    </Sheet>
  )
}

function Referral({ income }: { income: Income }) {
  const { t, language } = useTranslation()
  const network = useRead('GET home/public', {}).data?.network
  return (
    <>
      <p>{t('income.referralFrom')}</p>
      <dl className="rows">
        <Row label={t('income.at')} value={formatTime(income.at, languageTag[language])} />
        {income.txHash !== null && (
          <Row
            label={t('income.purchase')}
            value={<ChainLink kind="transaction" value={income.txHash} what={t('income.purchase')} network={network} />}
          />
        )}
      </dl>
    </>
  )
}
