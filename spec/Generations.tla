---------------------------- MODULE Generations ----------------------------
(***************************************************************************)
(* The number of deployments is changed while instances come and go        *)
(* (docs/PROTOCOL.md: G1, G3, E1). Each change begins a generation. An     *)
(* epoch is of the generation that the store had when it was taken. It     *)
(* registers, lists the members, waits until each has answered, has gone   *)
(* or is fenced, and serves. Coherence shows that within one placement     *)
(* this is enough; here, that no two placements are served at once. Then   *)
(* an INV by the one would miss what was cached by the other, so that      *)
(* stands for I2. An instance may have any of these epochs, one at a time. *)
(*                                                                         *)
(* Names the rules that are left out in Without; {} is the full protocol.  *)
(***************************************************************************)
EXTENDS Naturals, FiniteSets

CONSTANTS
    Epochs,     \* 1..n, taken in this order
    MaxChanges, \* of the number of deployments
    Without     \* rules left out

Keeps(rule) == rule \notin Without

VARIABLES
    changes,    \* the store's generation
    of,         \* epoch -> its generation
    step,       \* epoch -> "none", "taken", "member", "listed", "live", "over"
    members,    \* epochs that the coordinator knows
    awaited     \* epoch -> members that it has listed and that have not answered

vars == <<changes, of, step, members, awaited>>

Init ==
    /\ changes = 0
    /\ of = [e \in Epochs |-> 0]
    /\ step = [e \in Epochs |-> "none"]
    /\ members = {}
    /\ awaited = [e \in Epochs |-> {}]

Changes ==
    /\ changes < MaxChanges
    /\ changes' = changes + 1
    /\ UNCHANGED <<of, step, members, awaited>>

\* The generation is read in the transaction that takes the epoch.
Takes(e) ==
    /\ step[e] = "none"
    /\ \A earlier \in Epochs : earlier < e => step[earlier] # "none"
    /\ of' = [of EXCEPT ![e] = changes]
    /\ step' = [step EXCEPT ![e] = "taken"]
    /\ awaited' = [awaited EXCEPT ![e] = IF Keeps("listAfterRegister") THEN {} ELSE members]
    /\ UNCHANGED <<changes, members>>

Registers(e) ==
    /\ step[e] = "taken"
    /\ members' = members \cup {e}
    /\ step' = [step EXCEPT ![e] = "member"]
    /\ UNCHANGED <<changes, of, awaited>>

List(e) == IF Keeps("listAfterRegister") THEN members \ {e} ELSE awaited[e]
IsLater(m, e) == of[m] > of[e]

\* A join that finds a member of a later generation begins again: that one may wait for no answer of it.
Lists(e) ==
    /\ step[e] = "member"
    /\ IF Keeps("givesUpBesideLater") /\ \E m \in List(e) : IsLater(m, e)
       THEN step' = [step EXCEPT ![e] = "over"] /\ UNCHANGED awaited
       ELSE /\ step' = [step EXCEPT ![e] = "listed"]
            /\ awaited' = [awaited EXCEPT ![e] =
                   {m \in List(e) : Keeps("awaitsEarlier") \/ of[m] = of[e]}]
    /\ UNCHANGED <<changes, of, members>>

\* A member of an earlier generation ends its epoch before it answers.
Answers(m, e) ==
    /\ step[e] = "listed" /\ m \in awaited[e]
    /\ awaited' = [awaited EXCEPT ![e] = @ \ {m}]
    /\ step' = [step EXCEPT ![m] =
           IF IsLater(e, m) /\ Keeps("endsBeforeItAnswers") THEN "over" ELSE @]
    /\ UNCHANGED <<changes, of, members>>

\* One that does not answer; its lease has run out when that is done.
Fences(e, m) ==
    /\ step[e] = "listed" /\ m \in awaited[e]
    /\ awaited' = [awaited EXCEPT ![e] = @ \ {m}]
    /\ step' = [step EXCEPT ![m] = "over"]
    /\ members' = members \ {m}
    /\ UNCHANGED <<changes, of>>

Serves(e) ==
    /\ step[e] = "listed" /\ awaited[e] = {}
    /\ step' = [step EXCEPT ![e] = "live"]
    /\ UNCHANGED <<changes, of, members, awaited>>

\* It leaves, crashes, loses its lease, or sees that there is a later generation, in the store or in its watch.
Ends(e) ==
    /\ step[e] \in {"taken", "member", "listed", "live"}
    /\ step' = [step EXCEPT ![e] = "over"]
    /\ UNCHANGED <<changes, of, members, awaited>>

\* Whoever awaits its answer sees that it has gone.
Forgotten(e) ==
    /\ step[e] = "over" /\ e \in members
    /\ members' = members \ {e}
    /\ awaited' = [other \in Epochs |-> awaited[other] \ {e}]
    /\ UNCHANGED <<changes, of, step>>

Next ==
    \/ Changes
    \/ \E e \in Epochs :
        \/ Takes(e) \/ Registers(e) \/ Lists(e) \/ Serves(e) \/ Ends(e) \/ Forgotten(e)
        \/ \E m \in Epochs : Answers(m, e) \/ Fences(e, m)

Spec == Init /\ [][Next]_vars

----------------------------------------------------------------------------
Live == {e \in Epochs : step[e] = "live"}

\* Whoever serves goes by one number of deployments.
I2 == \A e, other \in Live : of[e] = of[other]
=============================================================================
