import { CHAIN_ID } from '@candela/protocol/chain/network'
import { languageTag } from '@candela/protocol/language'
import type { ProofFile } from '@candela/protocol/proof/proof-file'
import { useState } from 'react'
import { useTranslation } from '../../i18n/use-translation.ts'
import { formatTime, shorten } from '../../lib/format.ts'
import { openStorage } from '../../lib/storage.ts'
import { type Store, useStore } from '../../lib/store.ts'
import { ExactAmount } from '../../ui/amount/exact-amount.tsx'
import { Button } from '../../ui/control/button.tsx'
import { Segmented } from '../../ui/control/segmented.tsx'
import { Row } from '../../ui/list/row.tsx'
import { type Ask, claimData, enterExitData, type ExitState, readExitState } from '../../wallet/attestation.ts'
import { judgeContract, rememberContract } from '../known-contract.ts'
import { parseProof, proofAsFile, readProofFile } from '../open-file.ts'
import { downloadFile, OtherWaysToKeep } from '../../ui/keep/keep-file.tsx'
import { FileField } from '../file-field.tsx'
import { describeExitError, ExitError, expectRealTimes } from './exit-error.ts'
import { OtherDay } from '../other-day.tsx'
import { PasteText } from '../paste-text.tsx'
import { waitForReceipt } from './wait-for-receipt.ts'
import '../proof.css'

/** The parts that the way out needs of the page it is on. */
export type ExitPort = {
  /** Asks the chain; null when there is nobody to ask. */
  asker: (rpc: string) => Ask | null
  /** Asks the wallet for an account. @throws when there is none */
  connect: () => Promise<string>
  /** Has the wallet send it. @returns the hash */
  send: (transaction: { from: string; to: string; data: string }) => Promise<string>
  /** Whether the person may name an RPC. */
  hasRpc: boolean
  /** Where the page itself has to ask which of several wallets is meant. */
  wallets?: { store: Pick<Store<WalletChoice>, 'get' | 'subscribe'>; choose: (id: string) => void }
}

/** `chosen` is the id of one of the options. */
export type WalletChoice = { options: readonly { id: string; name: string }[]; chosen: string | null }

const assets = ['USDT', 'HASH', 'JU'] as const
const dayText = (day: number): string => new Date(day * 86_400_000).toISOString().slice(0, 10)

/** From a saved proof to the money in the wallet; nothing here asks our service. */
export function ExitFlow({ port }: { port: ExitPort }) {
  const { t } = useTranslation()
  const [proof, setProof] = useState<ProofFile | null>(null)
  const [rpc, setRpc] = useState('')
  const [state, setState] = useState<ExitState | null>(null)
  const [note, setNote] = useState<string | null>(null)
  /** The proof was just found by a tree, and is in no file yet. */
  const [isFound, setFound] = useState(false)
  /** The contract of the proof is the one that the person knows. */
  const [isConfirmed, setConfirmed] = useState(false)
  /** The account that the person was told of: it is not that of the proof. */
  const [otherAccount, setOtherAccount] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)

  const during = async (work: () => Promise<void>) => {
    setBusy(true)
    try {
      await work()
    } catch (error) {
      const known = describeExitError(error)
      setNote('problem' in known ? t(`exit.problem.${known.problem}`) : t('exit.failed', { reason: known.said }))
    }
    setBusy(false)
  }
  const askOrFail = (): Ask => {
    const ask = port.asker(rpc.trim())
    if (ask === null) throw new ExitError('noWallet')
    return ask
  }
  const look = async (of: ProofFile): Promise<ExitState> => {
    const ask = askOrFail()
    const chainId = Number(await ask('eth_chainId', []))
    if (chainId !== CHAIN_ID) throw new Error(t('exit.otherNode', { chainId }))
    const seen = await readExitState(ask, of)
    expectRealTimes(seen)
    setState(seen)
    return seen
  }
  const lookAnew = (of: ProofFile) =>
    during(async () => {
      // The earlier result is no answer to this question.
      setNote(null)
      setState(null)
      await look(of)
    })
  const open = (text: string | null) => {
    const opened = text === null ? null : parseProof(text)
    setState(null)
    setFound(false)
    setOtherAccount(null)
    const judged = opened === null ? null : judgeContract(opened, openStorage())
    setConfirmed(judged?.kind === 'known')
    setProof(judged?.kind === 'other-chain' ? null : opened)
    if (opened === null) setNote(t('proof.notAProof'))
    else setNote(judged?.kind === 'other-chain' ? t('exit.otherChain', { chainId: opened.chainId }) : null)
  }
  const goOnWith = (found: ProofFile) =>
    during(async () => {
      setProof(found)
      setFound(true)
      setNote(t('exit.tree.found', { last: found.day }))
      await look(found)
    })
  /** `done`: what is said once `isDone` is so on chain; a contract may also take a transaction and do nothing. */
  const send = (of: ProofFile, data: string, { done, isDone, anyAccount = false }: Wanted) =>
    during(async () => {
      setNote(null)
      const from = await port.connect()
      const isOther = !anyAccount && from.toLowerCase() !== of.leaf.member.toLowerCase()
      if (isOther && otherAccount !== from) {
        setOtherAccount(from)
        return setNote(t('exit.otherAccount', { address: from, member: of.leaf.member }))
      }
      const hash = await port.send({ from, to: of.gateway, data })
      setNote(t('exit.sent'))
      await waitForReceipt(askOrFail(), hash)
      setNote(isDone(await look(of)) ? done : t('exit.notDone'))
    })

  return (
    <div className="exit">
      <p className="muted">{t('exit.lead')}</p>
      <FileField
        label={t('exit.file')}
        onFiles={([file]) => void (file === undefined ? undefined : readProofFile(file).then(open))}
      />
      <PasteText onText={open} />
      {port.wallets !== undefined && <Wallets {...port.wallets} />}
      {port.hasRpc && (
        <label className="exit-file">
          <span>{t('exit.rpc')}</span>
          <input
            type="url"
            inputMode="url"
            value={rpc}
            placeholder="https://"
            onChange={(event) => setRpc(event.target.value)}
          />
        </label>
      )}
      {proof !== null && <Parties proof={proof} />}
      {proof !== null && !isConfirmed && (
        <ConfirmContract
          proof={proof}
          confirm={() => {
            rememberContract(openStorage(), proof.gateway)
            setConfirmed(true)
          }}
        />
      )}
      {proof !== null && isConfirmed && (
        <Button look={state === null ? 'primary' : 'quiet'} block busy={isBusy} onClick={() => void lookAnew(proof)}>
          {t('exit.check')}
        </Button>
      )}
      {proof !== null && isConfirmed && state !== null && (
        <Stand
          proof={proof}
          state={state}
          isBusy={isBusy}
          found={(later) => void goOnWith(later)}
          enter={() =>
            void send(proof, enterExitData(), {
              done: t('exit.entered'),
              isDone: ({ exitedAt }) => exitedAt !== null,
              anyAccount: true,
            })
          }
          claim={() =>
            void send(proof, claimData(proof), {
              done: t('exit.done', { address: shorten(proof.leaf.member) }),
              isDone: (now) => claimsOf(now) > claimsOf(state),
            })
          }
        />
      )}
      {proof !== null && isFound && (
        <>
          <Button block onClick={() => downloadFile(proofAsFile(proof))}>
            {t('proof.save')}
          </Button>
          <OtherWaysToKeep kept={proofAsFile(proof)} />
        </>
      )}
      <output className="exit-note" data-testid="exit-note">
        {note}
      </output>
    </div>
  )
}

/** How often something has been claimed: of each asset a share, and a year later what is left. */
const claimsOf = ({ isClaimed, isClaimedAgain }: ExitState): number =>
  [...isClaimed, ...isClaimedAgain].filter(Boolean).length

type Wanted = { done: string; isDone: (now: ExitState) => boolean; anyAccount?: boolean }

/** Asked only where there are several. */
function Wallets({ store, choose }: NonNullable<ExitPort['wallets']>) {
  const { t } = useTranslation()
  const { options, chosen } = useStore(store)
  if (options.length < 2) return null
  return (
    <Segmented
      label={t('exit.wallet')}
      options={options.map(({ id }) => id)}
      value={chosen ?? ''}
      textOf={(id) => options.find((option) => option.id === id)?.name ?? id}
      onChange={choose}
    />
  )
}

/** Shows which contract pays, and whom: both are of the file, and whole, because their beginnings can be imitated. */
function Parties({ proof: { gateway, leaf } }: { proof: ProofFile }) {
  const { t } = useTranslation()
  return (
    <dl className="rows" data-testid="exit-parties">
      <Row label={t('exit.contract')} value={<code className="exit-address">{gateway}</code>} />
      <Row label={t('exit.payee')} value={<code className="exit-address">{leaf.member}</code>} />
    </dl>
  )
}

/** The contract of the file is none that this device knows. */
function ConfirmContract({ proof, confirm }: { proof: ProofFile; confirm: () => void }) {
  const { t } = useTranslation()
  const judged = judgeContract(proof, openStorage())
  const expected = judged.kind === 'unknown' ? judged.expected : null
  return (
    <section className="card" data-testid="exit-confirm">
      {expected === null ? (
        <p>{t('exit.unknownContract')}</p>
      ) : (
        <p className="exit-bad">
          {t('exit.otherContract')} <code className="exit-address">{expected}</code>
        </p>
      )}
      <Button block onClick={confirm}>
        {t('exit.confirmContract')}
      </Button>
    </section>
  )
}

type StandProps = {
  proof: ProofFile
  state: ExitState
  isBusy: boolean
  found: (proof: ProofFile) => void
  enter: () => void
  claim: () => void
}

/** How far the way out is open for the proof, and what can be done now. */
function Stand({ proof, state, isBusy, found, enter, claim }: StandProps) {
  const { t, language } = useTranslation()
  const tag = languageTag[language]
  const last = dayText(state.lastDay)
  if (last !== proof.day) return <OtherDay proof={proof} last={{ day: last, root: state.lastRoot }} found={found} />
  const time = (at_s: number) => formatTime(new Date(at_s * 1_000).toISOString(), tag)
  if (state.exitedAt === null && state.now < state.exitFrom)
    return <p>{t('exit.notYet', { time: time(state.exitFrom) })}</p>
  if (state.exitedAt === null)
    return (
      <section className="card">
        <p>{t('exit.enterNote')}</p>
        <Button block busy={isBusy} onClick={enter}>
          {t('exit.enter')}
        </Button>
      </section>
    )
  const isAnything = state.claimable.some((amount) => amount > 0n)
  const { sharedAgainAt } = state
  return (
    <>
      <dl className="rows" data-testid="exit-times">
        <Row label={t('exit.begun')} value={time(state.exitedAt)} />
        {sharedAgainAt !== null && <Row label={t('exit.sharedAgain')} value={time(sharedAgainAt)} />}
      </dl>
      {sharedAgainAt !== null && <p className="muted small">{t('exit.short', { time: time(sharedAgainAt) })}</p>}
      <section className="card" aria-label={t('exit.claimable')}>
        <h2>{t('exit.claimable')}</h2>
        <dl className="rows proof-exact">
          {assets.map((asset, nth) => (
            <Row
              key={asset}
              label={asset}
              value={<ExactAmount value={state.claimable[nth] ?? 0n} unit={asset} />}
              {...(state.isClaimed[nth] === true ? { note: t('exit.claimed') } : {})}
            />
          ))}
        </dl>
        {!isAnything && <p className="muted">{t(state.canClaim ? 'exit.onlyTakePart' : 'exit.nothing')}</p>}
        {(isAnything || state.canClaim) && (
          <Button look="primary" block busy={isBusy} onClick={claim}>
            {t(isAnything ? 'exit.claim' : 'exit.takePart')}
          </Button>
        )}
      </section>
    </>
  )
}
