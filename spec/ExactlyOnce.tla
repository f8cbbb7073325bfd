---------------------------- MODULE ExactlyOnce ----------------------------
(***************************************************************************)
(* Requests take effect at most once, and every reply to one is the same   *)
(* (docs/PROTOCOL.md: W3, W15, W16; slots as NFSv4.1's sessions). A client *)
(* sends each of its requests as often as it likes, to any instances; each *)
(* copy may be late by any time, and runs as a transaction: it locks its   *)
(* slot and the name, looks the request up, decides, commits the change    *)
(* and the slot's new answer together, and replies. The client has one     *)
(* slot and sends the next request of its script, under the next sequence, *)
(* once it has an answer. Another client makes and removes the same name   *)
(* at any moment, so that what a copy would do changes all the time.       *)
(*                                                                         *)
(* Names the rules that are left out in Without; {} is the full protocol.  *)
(***************************************************************************)
EXTENDS Naturals, FiniteSets, TLC

CONSTANTS
    Copies,     \* executions at instances, of one request or another
    Script,     \* sequence -> "make", "remove" or "ensure" (mkdirs: yes where it is there)
    MaxOthers,  \* changes by the other client
    Nothing,
    Without     \* rules left out

Sequences == DOMAIN Script
Keeps(rule) == rule \notin Without
Making == <<"make">>
Ensuring == <<"ensure">>
MakingRemoving == <<"make", "remove">>

VARIABLES
    exists,     \* the namespace: whether the name is there
    others,     \* changes by the other client so far
    slot,       \* [sequence, answer] as stored
    sent,       \* the client's sequence so far
    got,        \* sequence -> answers that copies gave
    effects,    \* sequence -> changes of the namespace
    late,       \* sequences whose deadline has passed, by the store's clock
    swept,      \* whether the slot's life was over and it was removed
    timely,     \* no effect so far came after a reply
    copy        \* copy -> how far it is

vars == <<exists, others, slot, sent, got, effects, late, swept, timely, copy>>

NoSlot == [sequence |-> 0, answer |-> Nothing]
NoCopy == [step |-> "none", sequence |-> 0, found |-> Nothing, answer |-> Nothing, change |-> FALSE]

Init ==
    /\ exists \in BOOLEAN
    /\ others = 0
    /\ slot = NoSlot
    /\ sent = 1
    /\ got = [s \in Sequences |-> {}]
    /\ effects = [s \in Sequences |-> 0]
    /\ late = {}
    /\ swept = FALSE
    /\ timely = TRUE
    /\ copy = [c \in Copies |-> NoCopy]

Locked == \E c \in Copies : copy[c].step \in {"locked", "decided"}

----------------------------------------------------------------------------
(* The client *)

\* Sends a copy of its current request, the first or a repetition; an old copy may have been under way for long.
Sends(c, s) ==
    /\ copy[c].step = "none" /\ s <= sent
    /\ copy' = [copy EXCEPT ![c] = [NoCopy EXCEPT !.step = "sent", !.sequence = s]]
    /\ UNCHANGED <<exists, others, slot, sent, got, effects, late, swept, timely>>

\* The slot is used again once the request in it is answered, or its deadline has passed.
SendsNext ==
    /\ sent < Cardinality(Sequences)
    /\ got[sent] # {} \/ sent \in late
    /\ sent' = sent + 1
    /\ UNCHANGED <<exists, others, slot, got, effects, late, swept, copy, timely>>

\* Another client's request.
OtherChanges ==
    /\ others < MaxOthers /\ ~Locked
    /\ exists' = ~exists /\ others' = others + 1
    /\ UNCHANGED <<slot, sent, got, effects, late, swept, copy, timely>>

DeadlinePasses(s) ==
    /\ s \notin late /\ s <= sent
    /\ late' = late \cup {s}
    /\ UNCHANGED <<exists, others, slot, sent, got, effects, swept, copy, timely>>

\* A slot outlives the deadlines of its requests.
SlotSwept ==
    /\ ~swept /\ ~Locked /\ slot # NoSlot
    /\ (\A s \in 1..sent : s \in late) \/ ~Keeps("slotOutlivesDeadline")
    /\ slot' = NoSlot /\ swept' = TRUE
    /\ UNCHANGED <<exists, others, sent, got, effects, late, copy, timely>>

----------------------------------------------------------------------------
(* A copy of a request at an instance *)

Arrives(c) ==
    /\ copy[c].step = "sent"
    /\ Keeps("deadlineInTransaction") \/ copy[c].sequence \notin late
    /\ copy' = [copy EXCEPT ![c].step = "arrived", ![c].found = slot]
    /\ UNCHANGED <<exists, others, slot, sent, got, effects, late, swept, timely>>

\* Its slot and its rows in one batch.
Locks(c) ==
    /\ copy[c].step = "arrived" /\ ~Locked
    /\ copy' = [copy EXCEPT ![c].step = "locked"]
    /\ UNCHANGED <<exists, others, slot, sent, got, effects, late, swept, timely>>

Answers(c, answer) ==
    /\ got' = [got EXCEPT ![copy[c].sequence] = @ \cup {answer}]
    /\ copy' = [copy EXCEPT ![c] = NoCopy]

Decision(kind) ==
    CASE kind = "make" -> IF exists THEN "exists" ELSE "made"
      [] kind = "remove" -> IF exists THEN "removed" ELSE "missing"
      [] kind = "ensure" -> "there"
Alters(kind) == IF kind = "remove" THEN exists ELSE ~exists

\* What the slot says comes first: an older request is refused, the same one gets its answer, a newer one runs.
LooksUp(c) ==
    LET s == copy[c].sequence
        entry == IF ~Keeps("lookupOnRetry") THEN NoSlot
                 ELSE IF Keeps("lookupUnderLocks") THEN slot ELSE copy[c].found
        kind == Script[s]
    IN
    /\ copy[c].step = "locked"
    /\ IF entry.sequence > s /\ Keeps("olderRefused")
        THEN copy' = [copy EXCEPT ![c] = NoCopy] /\ UNCHANGED got
        ELSE IF entry.sequence = s THEN Answers(c, entry.answer)
        ELSE /\ copy' = [copy EXCEPT ![c].step = "decided", ![c].answer = Decision(kind),
                                     ![c].change = Alters(kind)]
             /\ UNCHANGED got
    /\ UNCHANGED <<exists, others, slot, sent, effects, late, swept, timely>>

Recorded(c) ==
    \/ Keeps("recordFailure") /\ Keeps("recordUnchanged")
    \/ copy[c].change
    \/ Keeps("recordFailure") /\ copy[c].answer # "there"
    \/ Keeps("recordUnchanged") /\ copy[c].answer = "there"
NewSlot(c) == [sequence |-> copy[c].sequence, answer |-> copy[c].answer]

\* The change and the slot's answer in one transaction, which the store refuses after the deadline.
Commits(c) ==
    LET s == copy[c].sequence IN
    /\ copy[c].step = "decided"
    /\ s \notin late \/ ~Keeps("deadlineInTransaction")
    /\ exists' = IF copy[c].change THEN ~exists ELSE exists
    /\ effects' = IF copy[c].change THEN [effects EXCEPT ![s] = @ + 1] ELSE effects
    /\ timely' = (timely /\ (copy[c].change => got[s] = {}))
    /\ slot' = IF Keeps("slotInTransaction") /\ Recorded(c) THEN NewSlot(c) ELSE slot
    /\ copy' = [copy EXCEPT ![c].step = IF Keeps("slotInTransaction") THEN "committed" ELSE "unrecorded"]
    /\ UNCHANGED <<others, sent, got, late, swept>>

\* Only where the slot is written by a transaction of its own.
RecordsLater(c) ==
    /\ copy[c].step = "unrecorded"
    /\ slot' = NewSlot(c)
    /\ copy' = [copy EXCEPT ![c].step = "committed"]
    /\ UNCHANGED <<exists, others, sent, got, effects, late, swept, timely>>

Replies(c) ==
    /\ copy[c].step = "committed"
    /\ Answers(c, copy[c].answer)
    /\ UNCHANGED <<exists, others, slot, sent, effects, late, swept, timely>>

\* The instance crashes or is fenced, the lock is not had, the deadline has passed, the answer is lost: the client learns nothing.
Vanishes(c) ==
    /\ copy[c].step # "none"
    /\ copy' = [copy EXCEPT ![c] = NoCopy]
    /\ UNCHANGED <<exists, others, slot, sent, got, effects, late, swept, timely>>

----------------------------------------------------------------------------
Steps(c) == Arrives(c) \/ Locks(c) \/ LooksUp(c) \/ Commits(c) \/ RecordsLater(c) \/ Replies(c)

Next ==
    \/ \E c \in Copies : Steps(c) \/ Vanishes(c) \/ \E s \in Sequences : Sends(c, s)
    \/ \E s \in Sequences : DeadlinePasses(s)
    \/ SendsNext \/ OtherChanges \/ SlotSwept

Spec == Init /\ [][Next]_vars

----------------------------------------------------------------------------
\* I4: a request changes the namespace at most once, never after it was answered, and every reply to it is the same.
I4 == timely /\ \A s \in Sequences : effects[s] <= 1 /\ Cardinality(got[s]) <= 1

\* What the client was told happened, and nothing else did.
Told == \A s \in Sequences : \A answer \in got[s] :
    /\ answer \in {"made", "removed"} => effects[s] = 1
    /\ answer \in {"exists", "missing"} => effects[s] = 0

Symmetry == Permutations(Copies)
=============================================================================
