import type { ProofFile, SecretProofFile } from '@candela/protocol/proof/proof-file'
import { useState } from 'react'
import { useTranslation } from '../i18n/use-translation.ts'
import { Progress } from '../ui/picture/progress.tsx'
import { dustTexts } from './dust-texts.ts'
import { FileField } from './file-field.tsx'
import { proofByTree, type TreeProblem } from './proof-by-tree.ts'

type OtherDayProps = {
  proof: ProofFile
  /** The contract's own record. */
  last: { day: string; root: string }
  /** The proof of that day was found. */
  found: (proof: SecretProofFile) => void
}

/** The proof is of another day than the attested one: that day's tree, which anybody can have kept, leads to the proof that counts. */
export function OtherDay({ proof, last, found }: OtherDayProps) {
  const { t } = useTranslation()
  const [done, setDone] = useState<number | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const textOf = (why: TreeProblem): string => {
    if (why.what === 'notATree') return t('exit.tree.notATree', { name: why.name })
    if (why.what === 'otherRoot') return t('exit.tree.otherRoot')
    if (why.what === 'noLeaf') return t('exit.tree.noLeaf', dustTexts)
    if (why.parts === null) return t('exit.tree.none', { last: last.day })
    return t('exit.tree.missing', { last: last.day, have: String(why.have), parts: String(why.parts) })
  }
  const open = async (saved: SecretProofFile, files: readonly File[]) => {
    setProblem(null)
    try {
      const result = await proofByTree(saved, files, last, async (fraction) => {
        setDone(fraction)
        // The page draws, and answers a tap.
        await new Promise((resolve) => setTimeout(resolve))
      })
      if ('what' in result) setProblem(textOf(result))
      else found(result)
    } catch (error) {
      setProblem(t('exit.failed', { reason: String(error) }))
    }
    setDone(null)
  }
  return (
    <section className="exit-other-day">
      <p className="exit-bad">{t('exit.notLast', { day: proof.day, last: last.day })}</p>
      {proof.version === 1 ? (
        <p>{t('exit.tree.noSecret')}</p>
      ) : (
        <>
          <p>{t('exit.tree.lead', { last: last.day })}</p>
          <FileField
            label={t('exit.tree.file', { last: last.day })}
            multiple
            isDisabled={done !== null}
            onFiles={(files) => void open(proof, files)}
          />
        </>
      )}
      {done !== null && <Progress value={done} max={1} label={t('exit.tree.busy')} />}
      <output className="exit-bad">{problem}</output>
    </section>
  )
}
