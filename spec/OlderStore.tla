---------------------------- MODULE OlderStore ----------------------------
(***************************************************************************)
(* A database that answers from memory comes back as of its last           *)
(* checkpoint when all of it was lost (docs/PROTOCOL.md: D6, D7). One row,  *)
(* one instance that caches it under a lease, others that read and write at *)
(* the store, and a server that takes the database anew. Who keeps the     *)
(* members knows nothing of that, and grants every renewal.                *)
(*                                                                         *)
(* Names the rules that are left out in Without; {} is the full protocol.  *)
(***************************************************************************)
EXTENDS Naturals, FiniteSets

CONSTANTS
    Lease,       \* ticks
    MaxWrites,
    MaxEpoch,        \* epochs that are given out in one incarnation
    MaxIncarnation,
    Nothing,
    Without      \* rules left out

Keeps(rule) == rule \notin Without
\* More than are given out between two checkpoints.
Skipped == MaxEpoch

VARIABLES
    row,         \* the version of the row
    next,        \* the epoch that is given out next
    alive,       \* epochs that have a row
    disk,        \* all three as of the last checkpoint
    server,      \* "serving", "down" or "waiting"
    wait,        \* ticks until it serves
    incarnation,
    mine,        \* the instance's epoch
    lease,       \* ticks that are left of it
    cached,      \* version, or Nothing
    sent,        \* ticks that the renewal under way is good for; Nothing where there is none
    confirmed,   \* whether the store has confirmed that renewal
    begun,       \* the write under way: incarnation and epoch in which it was begun; or Nothing
    late         \* whether a write was committed in another incarnation than it was begun in

store == <<row, next, alive, disk>>
serving == <<server, wait, incarnation>>
instance == <<mine, lease, cached, sent, confirmed>>
writes == <<begun, late>>
vars == <<store, serving, instance, writes>>

Serves == server = "serving"
Less(ticks) == IF ticks = 0 THEN 0 ELSE ticks - 1

Init ==
    /\ row = 0 /\ next = 2 /\ alive = {1}
    /\ disk = [row |-> 0, next |-> 1, alive |-> {}]
    /\ server = "serving" /\ wait = 0 /\ incarnation = 1
    /\ mine = 1 /\ lease = Lease /\ cached = Nothing /\ sent = Nothing /\ confirmed = FALSE
    /\ begun = Nothing /\ late = FALSE

----------------------------------------------------------------------------
(* The store *)

Checkpoint ==
    /\ server # "down"
    /\ disk' = [row |-> row, next |-> next, alive |-> alive]
    /\ UNCHANGED <<row, next, alive, serving, instance, writes>>

\* All data nodes at once, and with them what no checkpoint has.
AllLost ==
    /\ incarnation < MaxIncarnation /\ server # "down"
    /\ row' = disk.row /\ next' = disk.next /\ alive' = disk.alive
    /\ server' = "down"
    /\ UNCHANGED <<disk, wait, incarnation, instance, writes>>

\* In the transaction that takes the database.
Takes ==
    /\ server = "down"
    /\ incarnation' = incarnation + 1
    /\ alive' = IF Keeps("epochsEnd") THEN {} ELSE alive
    /\ next' = IF Keeps("numbersSkip") THEN next + Skipped ELSE next
    /\ wait' = IF Keeps("leasesOver") THEN Lease ELSE 0
    /\ server' = "waiting"
    /\ UNCHANGED <<row, disk, instance, writes>>

Answers ==
    /\ server = "waiting" /\ wait = 0
    /\ server' = "serving"
    /\ UNCHANGED <<store, wait, incarnation, instance, writes>>

----------------------------------------------------------------------------
(* Other instances *)

\* The INV and its ACK are part of the step: Coherence shows them.
OtherWrites ==
    /\ Serves /\ row < MaxWrites
    /\ row' = row + 1 /\ cached' = Nothing
    /\ UNCHANGED <<next, alive, disk, serving, mine, lease, sent, confirmed, writes>>

OtherJoins ==
    /\ Serves /\ next < MaxEpoch * incarnation
    /\ alive' = alive \cup {next} /\ next' = next + 1
    /\ UNCHANGED <<row, disk, serving, instance, writes>>

----------------------------------------------------------------------------
(* The instance *)

Fills ==
    /\ Serves /\ lease > 0
    /\ cached' = row
    /\ UNCHANGED <<store, serving, mine, lease, sent, confirmed, writes>>

SendsRenewal ==
    /\ lease > 0 /\ sent = Nothing
    /\ sent' = Lease /\ confirmed' = FALSE
    /\ UNCHANGED <<store, serving, mine, lease, cached, writes>>

StoreConfirms ==
    /\ sent # Nothing /\ Serves /\ mine \in alive
    /\ confirmed' = TRUE
    /\ UNCHANGED <<store, serving, mine, lease, cached, sent, writes>>

\* A lease that has lapsed stays so.
Renewed ==
    /\ sent # Nothing
    /\ confirmed \/ ~Keeps("storeConfirms")
    /\ lease' = IF lease > 0 /\ sent > lease THEN sent ELSE lease
    /\ sent' = Nothing /\ confirmed' = FALSE
    /\ UNCHANGED <<store, serving, mine, cached, writes>>

RenewalLost ==
    /\ sent # Nothing
    /\ sent' = Nothing /\ confirmed' = FALSE
    /\ UNCHANGED <<store, serving, mine, lease, cached, writes>>

Rejoins ==
    /\ Serves /\ lease = 0 /\ next < MaxEpoch * incarnation
    /\ mine' = next /\ alive' = alive \cup {next} /\ next' = next + 1
    /\ lease' = Lease /\ cached' = Nothing /\ sent' = Nothing /\ confirmed' = FALSE
    /\ UNCHANGED <<row, disk, serving, writes>>

Begins ==
    /\ Serves /\ lease > 0 /\ begun = Nothing
    /\ begun' = [in |-> incarnation, under |-> mine]
    /\ UNCHANGED <<store, serving, instance, late>>

Commits ==
    /\ Serves /\ row < MaxWrites
    /\ begun # Nothing /\ begun.under \in alive
    /\ late' = (late \/ begun.in # incarnation)
    /\ row' = row + 1 /\ cached' = Nothing /\ begun' = Nothing
    /\ UNCHANGED <<next, alive, disk, serving, mine, lease, sent, confirmed>>

Tick ==
    /\ lease' = Less(lease) /\ wait' = Less(wait)
    /\ sent' = IF sent = Nothing THEN Nothing ELSE Less(sent)
    /\ UNCHANGED <<store, server, incarnation, mine, cached, confirmed, writes>>

----------------------------------------------------------------------------
Next ==
    \/ Checkpoint \/ AllLost \/ Takes \/ Answers
    \/ OtherWrites \/ OtherJoins
    \/ Fills \/ SendsRenewal \/ StoreConfirms \/ Renewed \/ RenewalLost \/ Rejoins \/ Begins \/ Commits
    \/ Tick

Spec == Init /\ [][Next]_vars

----------------------------------------------------------------------------
\* I1: what the instance may answer with is what others find.
I1 == Serves /\ lease > 0 /\ cached # Nothing => cached = row

\* I3: nothing that was begun before is committed after.
I3 == ~late
=============================================================================
