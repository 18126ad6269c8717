import { sharePrice } from '@candela/protocol/fund/fund'
import type { AssetCode } from '@candela/protocol/money/assets'
import { owedByParts, type OwedParts, valuationOf } from '@candela/protocol/proof/owed-parts'
import { type ProofFile, toSums } from '@candela/protocol/proof/proof-file'
import { proofAssets } from '@candela/protocol/proof/sum-tree'
import type { Translate } from '../../i18n/translate.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { formatAmount } from '../../lib/format.ts'
import { isPlatformLeaf } from '../../proof/check-proof.ts'
import { type OwedLine, owedLines } from '../../proof/owed-lines.ts'
import { ExactAmount } from '../../ui/amount/exact-amount.tsx'
import { Row } from '../../ui/list/row.tsx'
import type { Explanation } from '../../ui/overlay/explain-store.ts'

/** All of them: these figures are there to be recomputed. */
const ALL_DIGITS = 18
const exact = (amount: bigint, unit = 'USDT'): string => `${formatAmount(amount, ALL_DIGITS)} ${unit}`.trim()

/** Shows what is owed by the leaf, per asset, with what it is made of where that is known. */
export function OwnAmounts({ proof, parts }: { proof: ProofFile; parts: OwedParts | null }) {
  const { t } = useTranslation()
  // The leaf of the platform has that of others as well.
  const owed = parts !== null && isPlatformLeaf(proof) ? owedByParts(parts) : toSums(proof.leaf.owed)
  const lines = parts === null ? null : owedLines(parts)
  const noteOf = (stated: bigint, asset: AssetCode) => {
    const sum = lines?.[asset].reduce((total, { amount }) => total + amount, 0n) ?? stated
    return sum === stated ? {} : { note: t('proof.otherSum', { amount: exact(sum, asset) }) }
  }
  return (
    <>
      <h3>{t('proof.owed')}</h3>
      {proofAssets.map((asset, nth) => (
        <dl key={asset} className="rows proof-exact proof-owed" data-asset={asset}>
          {parts !== null && lines?.[asset].map((line) => <Line key={line.what} {...{ asset, line, parts }} />)}
          <Row
            label={t('proof.total', { asset })}
            value={<ExactAmount value={owed[nth] ?? 0n} unit={asset} />}
            {...noteOf(owed[nth] ?? 0n, asset)}
          />
        </dl>
      ))}
    </>
  )
}

function Line({ asset, line: { what, amount }, parts }: { asset: AssetCode; line: OwedLine; parts: OwedParts }) {
  const { t } = useTranslation()
  const value = <ExactAmount value={amount} unit={asset} />
  return <Row label={t(`proof.part.${what}`)} value={value} {...detailsOf(t, { asset, what, parts })} />
}

/** Describes what a line that is no balance is computed by. */
function detailsOf(
  t: Translate,
  { asset, what, parts }: { asset: AssetCode; what: OwedLine['what']; parts: OwedParts },
): { note?: string; from?: Explanation } {
  const { fund, pool, prices } = valuationOf(parts)
  if (what === 'shares' && pool !== null) {
    const all = exact(pool.shares, '')
    return {
      note: t('proof.note.pool', { amount: exact(pool.amounts[asset], asset), all }),
      from: {
        title: t('proof.part.shares'),
        text: t('proof.poolFrom'),
        inputs: [
          { label: t('proof.ownShares'), value: <ExactAmount value={BigInt(parts.shares)} unit="" /> },
          { label: t('proof.poolShares'), value: <ExactAmount value={pool.shares} unit="" /> },
          ...proofAssets.map((one) => ({
            label: t('proof.poolOf', { asset: one }),
            value: <ExactAmount value={pool.amounts[one]} unit={one} />,
          })),
          { label: t('proof.fundAssets'), value: <ExactAmount value={fund.assets} unit="USDT" /> },
          { label: t('proof.fundShares'), value: <ExactAmount value={fund.shares} unit="" /> },
        ],
      },
    }
  }
  if (what === 'shares') {
    const [shares, price] = [exact(BigInt(parts.shares), ''), exact(sharePrice(fund))]
    const inputs = [
      { label: t('proof.fundAssets'), value: <ExactAmount value={fund.assets} unit="USDT" /> },
      { label: t('proof.fundShares'), value: <ExactAmount value={fund.shares} unit="" /> },
    ]
    return {
      note: t('proof.note.shares', { shares, price }),
      from: { title: t('proof.part.shares'), text: t('proof.sharesFrom'), inputs },
    }
  }
  if (what === 'debt') {
    const pricesKnown = (['JU', 'HASH'] as const).map((code) => ({
      label: t('proof.priceOf', { asset: code }),
      value: prices[code] === null ? t('proof.noPrice') : <ExactAmount value={prices[code]} unit="USDT" />,
    }))
    const debt = exact(BigInt(parts.debt))
    const price = asset === 'USDT' ? null : prices[asset]
    return {
      note: price === null ? t('proof.note.debt', { debt }) : t('proof.note.price', { price: exact(price) }),
      from: {
        title: t('proof.part.debt'),
        text: t('proof.debtFrom'),
        inputs: [
          { label: t('proof.debt'), value: <ExactAmount value={BigInt(parts.debt)} unit="USDT" /> },
          ...pricesKnown,
        ],
      },
    }
  }
  return what === 'paidLater' ? { note: t('proof.note.paidLater') } : {}
}
