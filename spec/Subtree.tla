------------------------------ MODULE Subtree ------------------------------
(***************************************************************************)
(* Operations on directories (docs/PROTOCOL.md: S2, S3, S4, S7, R2; the    *)
(* paper's appendix D), among reads and creates below them. A subtree      *)
(* operation marks its root in a transaction that checks the table of      *)
(* active ones, invalidates the prefix at every instance, waits until what *)
(* is in flight at or below it has drained, and then changes one row.      *)
(*                                                                         *)
(* A directory is named by itself wherever it hangs: the path of A is      *)
(* <<A>> below the root and <<B, A>> below B. Each directory may hold one  *)
(* file. A link is what resolution needs of a directory: that it hangs     *)
(* where the path says, and whether it may be searched (its mode).         *)
(* Requests is a script of operations; at which instance each runs, and in *)
(* which order, is left open. An instance may be fenced at any moment, and *)
(* join again, with an empty cache.                                        *)
(*                                                                         *)
(* Without names the rules that are left out; {} is the full protocol.     *)
(***************************************************************************)
EXTENDS Naturals, Sequences, FiniteSets, TLC

CONSTANTS
    Instances,
    A, B, X, Y, \* the directories: A and B below the root and, where a script names them, X below B and Y below A
    Root, Nowhere,
    Nobody,     \* no operation
    Requests,   \* operation -> [kind, path, dest]
    MaxFences,  \* instances that are fenced
    MaxJoins,   \* instances that join later
    Absent,     \* instances that are not there at the beginning
    Without     \* rules left out

Dirs == {A, B, X, Y}
Ops == DOMAIN Requests
Keeps(rule) == rule \notin Without

\* Scripts
Do(kind, path) == [kind |-> kind, path |-> path, dest |-> <<>>]
Move(path, dest) == [kind |-> "move", path |-> path, dest |-> dest]
Moving == <<Move(<<A>>, <<B>>), Do("create", <<A>>), Do("read", <<B, A>>)>>
Observed == <<Move(<<A>>, <<B>>), Do("read", <<A>>), Do("create", <<B, A>>)>>
Deep == <<Move(<<A>>, <<B>>), Do("create", <<A, Y>>), Do("read", <<B, A, Y>>)>>
Waiting == <<Move(<<A>>, <<B>>), Do("chmod", <<A, Y>>), Do("create", <<A, Y>>)>>
Ending == <<Move(<<A>>, <<B>>), Do("create", <<A>>)>>
Crossing == <<Move(<<A>>, <<B, X>>), Move(<<B>>, <<A, Y>>)>>
Protecting == <<Do("chmod", <<A>>), Do("create", <<A>>), Do("read", <<A>>)>>
Arriving == <<Do("chmod", <<B>>), Move(<<A>>, <<B>>), Do("read", <<B, A>>)>>
Removing == <<Do("remove", <<A>>), Do("create", <<A>>), Do("read", <<A>>)>>
Losing == <<Do("remove", <<B>>), Move(<<A>>, <<B, X>>)>>
CrossingObserved == Crossing \o <<Do("read", <<A>>)>>

VARIABLES
    tree,       \* the namespace: [parent, open, file], each by directory
    mark,       \* directory -> the operation that has marked it
    active,     \* the table of active subtree operations
    alive,      \* instances whose epoch is alive
    fences, joins,
    links,      \* instance -> path -> "none", "open", "closed"
    op,         \* operation -> how far it is
    fresh,      \* I1 so far: every answer was true at some moment since the request came
    whole       \* I6 so far: every change was right at the moment at which it surfaced

vars == <<tree, mark, active, alive, fences, joins, links, op, fresh, whole>>

----------------------------------------------------------------------------
Last(s) == s[Len(s)]
Front(s) == SubSeq(s, 1, Len(s) - 1)
AtOrBelow(p, prefix) == Len(p) >= Len(prefix) /\ SubSeq(p, 1, Len(prefix)) = prefix
Overlaps(p, q) == AtOrBelow(p, q) \/ AtOrBelow(q, p)
Above(p) == IF Len(p) = 1 THEN Root ELSE p[Len(p) - 1]

IsSubtreeOp(o) == Requests[o].kind \in {"move", "chmod", "remove"}
\* Where a moved directory ends up.
Target(o) == Requests[o].dest \o <<Last(Requests[o].path)>>
\* The paths by which an operation is counted in flight, and which a subtree operation enters in the table.
PathsOf(o) == {Requests[o].path} \cup (IF Requests[o].kind = "move" THEN {Target(o)} ELSE {})
CountedPaths(o) == IF Keeps("countedByBothPaths") THEN PathsOf(o) ELSE {Requests[o].path}

\* The directories to be resolved, one after the other, by their paths.
Steps(p) == [k \in 1..Len(p) |-> SubSeq(p, 1, k)]
Paths == UNION {{SubSeq(p, 1, k) : k \in 1..Len(p)} : p \in UNION {PathsOf(o) : o \in Ops}}
Named == UNION {{p[k] : k \in 1..Len(p)} : p \in Paths}
Resolution(o) ==
    IF ~IsSubtreeOp(o) THEN Steps(Requests[o].path)
    ELSE Steps(Front(Requests[o].path)) \o Steps(Requests[o].dest)

\* What a walk along paths comes to in a namespace: "ok", or what is wrong first.
RECURSIVE Walk(_, _)
Walk(t, steps) ==
    IF steps = <<>> THEN "ok"
    ELSE LET d == Last(Head(steps)) IN
         IF t.parent[d] # Above(Head(steps)) THEN "missing"
         ELSE IF ~t.open[d] THEN "denied"
         ELSE Walk(t, Tail(steps))

\* The right answer to a request in a namespace.
Answer(t, o) ==
    LET r == Requests[o]
        way == Walk(t, Resolution(o))
    IN
    IF way # "ok" THEN way
    ELSE IF r.kind = "read" THEN IF t.file[Last(r.path)] THEN "file" ELSE "none"
    ELSE IF IsSubtreeOp(o) /\ t.parent[Last(r.path)] # Above(r.path) THEN "missing"
    ELSE "ok"

NewOp == [step |-> "new", at |-> CHOOSE i \in Instances : TRUE, counted |-> FALSE, dead |-> FALSE, todo |-> <<>>,
          link |-> "none", invs |-> {}, drains |-> {}, waits |-> Nobody, targets |-> {}, seen |-> {}]

Warm(t, i) == [p \in Paths |-> IF Walk(t, Steps(p)) = "ok" THEN "open" ELSE "none"]
Cold == [p \in Paths |-> "none"]

Init ==
    /\ tree = [parent |-> [d \in Dirs |-> IF d \notin Named THEN Nowhere
                                        ELSE IF d = X THEN B ELSE IF d = Y THEN A ELSE Root], open |-> [d \in Dirs |-> TRUE], file |-> [d \in Dirs |-> FALSE]]
    /\ mark = [d \in Dirs |-> Nobody]
    /\ active = {}
    /\ alive = Instances \ Absent
    /\ fences = 0 /\ joins = 0
    /\ links \in [Instances -> {Cold, Warm(tree, 1)}]
    /\ \A i \in Absent : links[i] = Cold
    /\ op = [o \in Ops |-> NewOp]
    /\ fresh = TRUE /\ whole = TRUE

----------------------------------------------------------------------------
(* Parts of steps *)

\* Operations after one of them is no longer counted in flight: nobody waits for it.
Uncounted(ops, o) == [x \in Ops |-> IF x = o THEN [ops[x] EXCEPT !.counted = FALSE]
                                    ELSE [ops[x] EXCEPT !.drains = @ \ {o}]]
With(ops, o, step) == [ops EXCEPT ![o].step = step]

\* A change of the namespace, seen by every request that is under way.
Changed(ops, t) == [x \in Ops |-> IF ops[x].step \in {"new", "done"} THEN ops[x] ELSE [ops[x] EXCEPT !.seen = @ \cup {t}]]

Over(o) == op[o].step = "done"
Runs(o, step) == op[o].step = step /\ ~op[o].dead

Replies(o, answer) ==
    /\ fresh' = (fresh /\ \E t \in op[o].seen : Answer(t, o) = answer)
    /\ op' = With(Uncounted(op, o), o, "done")

\* Meets a mark, or one in the table: ends what it does and waits outside of the in-flight count.
WaitsFor(o, x) ==
    LET ops == IF Keeps("waitsOutside") THEN Uncounted(op, o) ELSE op IN
    op' = [ops EXCEPT ![o].step = "waiting", ![o].waits = x, ![o].link = "none"]

----------------------------------------------------------------------------
(* Any operation: counted before its first look-up; resolves from cached links and the store *)

Begins(o, i) ==
    /\ op[o].step = "new" /\ i \in alive
    /\ op' = [op EXCEPT ![o] = [NewOp EXCEPT !.step = "resolving", !.at = i, !.todo = Resolution(o),
                !.counted = Keeps("countedBeforeLookup"), !.targets = alive, !.seen = {tree}]]
    /\ UNCHANGED <<tree, mark, active, alive, fences, joins, links, fresh, whole>>

\* After a wait resolution starts again.
BeginsAgain(o) ==
    /\ Runs(o, "waiting") /\ op[o].waits \notin active
    /\ op' = [op EXCEPT ![o].step = "resolving", ![o].todo = IF Keeps("resolvesAgain") THEN Resolution(o) ELSE @, ![o].waits = Nobody,
                ![o].counted = Keeps("countedBeforeLookup")]
    /\ UNCHANGED <<tree, mark, active, alive, fences, joins, links, fresh, whole>>

Resolves(o) ==
    LET p == Head(op[o].todo)
        d == Last(p)
        cached == links[op[o].at][p]
    IN
    /\ Runs(o, "resolving") /\ op[o].todo # <<>> /\ op[o].link = "none"
    /\ IF cached = "open"
        THEN op' = [op EXCEPT ![o].todo = Tail(@)] /\ UNCHANGED fresh
        ELSE IF cached = "closed" THEN Replies(o, "denied")
        ELSE IF tree.parent[d] # Above(p) THEN Replies(o, "missing")
        ELSE IF mark[d] # Nobody /\ Keeps("stopsAtMark") THEN WaitsFor(o, mark[d]) /\ UNCHANGED fresh
        ELSE op' = [op EXCEPT ![o].link = IF tree.open[d] THEN "open" ELSE "closed"] /\ UNCHANGED fresh
    /\ UNCHANGED <<tree, mark, active, alive, fences, joins, links, whole>>

\* The link is cached unless an INV has voided its ticket.
PublishesLink(o) ==
    LET p == Head(op[o].todo)
        void == op[o].link \in {"open, void", "closed, void"} /\ Keeps("ticket")
        is == IF op[o].link \in {"open", "open, void"} THEN "open" ELSE "closed"
    IN
    /\ Runs(o, "resolving") /\ op[o].link # "none"
    /\ links' = IF void THEN links ELSE [links EXCEPT ![op[o].at][p] = is]
    /\ IF is = "closed" THEN Replies(o, "denied")
       ELSE op' = [op EXCEPT ![o].link = "none", ![o].todo = Tail(@)] /\ UNCHANGED fresh
    /\ UNCHANGED <<tree, mark, active, alive, fences, joins, whole>>

Resolved(o) == Runs(o, "resolving") /\ op[o].todo = <<>>

----------------------------------------------------------------------------
(* A read, and a create: an ordinary write *)

ReadReplies(o) ==
    /\ Resolved(o) /\ Requests[o].kind = "read"
    /\ Replies(o, IF tree.file[Last(Requests[o].path)] THEN "file" ELSE "none")
    /\ UNCHANGED <<tree, mark, active, alive, fences, joins, links, whole>>

\* Its directory is locked shared, and still where it was resolved.
CreateLocks(o) ==
    LET p == Requests[o].path
        d == Last(p)
    IN
    /\ Resolved(o) /\ Requests[o].kind = "create"
    /\ Keeps("noLockWhileDraining") \/ mark[d] = Nobody
    /\ IF tree.parent[d] # Above(p) /\ Keeps("verifyUnderLocks")
        THEN op' = With(Uncounted(op, o), o, "waiting")
        ELSE IF mark[d] # Nobody THEN WaitsFor(o, mark[d])
        ELSE op' = [op EXCEPT ![o].step = "locked", ![o].counted = TRUE]
    /\ UNCHANGED <<tree, mark, active, alive, fences, joins, links, fresh, whole>>

Creates(o, step) ==
    LET after == [tree EXCEPT !.file[Last(Requests[o].path)] = TRUE] IN
    /\ op[o].step = step
    /\ ~op[o].dead \/ ~Keeps("epochInCommit")
    /\ tree' = after
    /\ op' = With(Uncounted(Changed(op, after), o), o, "done")
    /\ whole' = (whole /\ Answer(tree, o) = "ok")
    /\ UNCHANGED <<mark, active, alive, fences, joins, links, fresh>>

CreateCommits(o) == Creates(o, "locked")

\* The commit is sent, and its answer lost: until the store has ended the transaction, it may still happen.
CreateLosesAnswer(o) ==
    /\ Runs(o, "locked")
    /\ op' = IF Keeps("countedWhileUnknown") THEN With(op, o, "unknown") ELSE With(Uncounted(op, o), o, "unknown")
    /\ UNCHANGED <<tree, mark, active, alive, fences, joins, links, fresh, whole>>

CreateCommitsLate(o) == Creates(o, "unknown")

CreateAborts(o) ==
    /\ Runs(o, "unknown")
    /\ op' = With(Uncounted(op, o), o, "done")
    /\ UNCHANGED <<tree, mark, active, alive, fences, joins, links, fresh, whole>>

----------------------------------------------------------------------------
(* A subtree operation: mark, drain, write *)

InTheWay(o) == {x \in active \ {o} : \E p \in PathsOf(o), q \in PathsOf(x) : Overlaps(p, q)}
LockedShared(d) == \E x \in Ops : op[x].step \in {"locked", "unknown"} /\ ~op[x].dead /\ Last(Requests[x].path) = d

\* One serialised transaction; the targets of the round that follows are those that are live after it.
Marks(o) ==
    LET p == Requests[o].path
        d == Last(p)
        ops == IF Keeps("leavesInFlight") THEN Uncounted(op, o) ELSE op
    IN
    /\ Resolved(o) /\ IsSubtreeOp(o)
    /\ IF InTheWay(o) # {} /\ Keeps("serialised")
        THEN WaitsFor(o, CHOOSE x \in InTheWay(o) : TRUE) /\ UNCHANGED <<mark, active, fresh>>
        ELSE IF tree.parent[d] # Above(p) THEN Replies(o, "missing") /\ UNCHANGED <<mark, active>>
        ELSE IF mark[d] # Nobody THEN WaitsFor(o, mark[d]) /\ UNCHANGED <<mark, active, fresh>>
        ELSE /\ ~LockedShared(d)
             /\ mark' = [mark EXCEPT ![d] = o]
             /\ active' = active \cup {o}
             /\ op' = [ops EXCEPT ![o].step = "draining",
                    ![o].invs = IF ~Keeps("targetsAfterMark") THEN op[o].targets \cap alive
                                ELSE IF Keeps("prefixToAll") THEN alive ELSE {op[o].at}]
             /\ UNCHANGED fresh
    /\ UNCHANGED <<tree, alive, fences, joins, links, whole>>

\* An instance drops the prefix and voids what is being filled; the ACK waits for what is in flight at or below.
Invalidated(o, i) ==
    LET prefixes == PathsOf(o)
        covered(p) == \E q \in prefixes : AtOrBelow(p, q)
        below == {x \in Ops : op[x].at = i /\ op[x].counted /\ \E p \in CountedPaths(x) : covered(p)}
        voided == {x \in Ops : op[x].at = i /\ op[x].link \in {"open", "closed"} /\ covered(Head(op[x].todo))}
    IN
    /\ Runs(o, "draining") /\ i \in op[o].invs
    /\ links' = [links EXCEPT ![i] = [p \in Paths |-> IF covered(p) THEN "none" ELSE links[i][p]]]
    /\ op' = [x \in Ops |->
            IF x = o THEN [op[o] EXCEPT !.invs = @ \ {i}, !.drains = @ \cup IF Keeps("drain") THEN below ELSE {}]
            ELSE IF x \in voided THEN [op[x] EXCEPT !.link = @ \o ", void"] ELSE op[x]]
    /\ UNCHANGED <<tree, mark, active, alive, fences, joins, fresh, whole>>

Unmarked(o) == [d \in Dirs |-> IF mark[d] = o THEN Nobody ELSE mark[d]]

\* Locks on the rows of both parents, verified; the mark is still its own; one row changes and the mark goes.
WritesRow(o) ==
    LET r == Requests[o]
        d == Last(r.path)
        stands(p) == p = <<>> \/ (tree.parent[Last(p)] = Above(p) /\ mark[Last(p)] \in {Nobody, o})
        right == tree.parent[d] = Above(r.path) /\ stands(Front(r.path)) /\ stands(r.dest)
        owned == mark[d] = o \/ ~Keeps("verifyMark")
        after == CASE r.kind = "move" -> [tree EXCEPT !.parent[d] = IF r.dest = <<>> THEN Root ELSE Last(r.dest)]
                   [] r.kind = "chmod" -> [tree EXCEPT !.open[d] = FALSE]
                   [] r.kind = "remove" -> [tree EXCEPT !.parent[d] = Nowhere]
    IN
    /\ op[o].step = "draining" /\ op[o].invs = {} /\ op[o].drains = {}
    /\ ~op[o].dead \/ ~Keeps("epochInCommit")
    /\ ~LockedShared(d)
    /\ IF right /\ owned
        THEN /\ tree' = after
             /\ op' = With(Uncounted(Changed(op, after), o), o, "done")
             /\ whole' = (whole /\ Answer(tree, o) = "ok")
        ELSE /\ op' = [Uncounted(op, o) EXCEPT ![o].step = IF op[o].dead THEN "done" ELSE "waiting", ![o].waits = Nobody]
             /\ UNCHANGED <<tree, whole>>
    /\ mark' = Unmarked(o) /\ active' = active \ {o}
    /\ UNCHANGED <<alive, fences, joins, links, fresh>>

\* The mark is set, and the answer lost: nobody will go on from it, so that its leader has to remove it.
MarkLosesAnswer(o) ==
    /\ Runs(o, "draining") /\ op[o].drains = {}
    /\ op' = [op EXCEPT ![o] = [NewOp EXCEPT !.step = "forgetting", !.at = op[o].at, !.seen = op[o].seen]]
    /\ UNCHANGED <<tree, mark, active, alive, fences, joins, links, fresh, whole>>

Forgets(o) ==
    /\ Runs(o, "forgetting")
    /\ mark' = IF Keeps("unknownMarkCleared") THEN Unmarked(o) ELSE mark
    /\ active' = IF Keeps("unknownMarkCleared") THEN active \ {o} ELSE active
    /\ op' = With(op, o, "done")
    /\ UNCHANGED <<tree, alive, fences, joins, links, fresh, whole>>

\* Whoever meets the mark of a dead epoch removes it.
ClearsMark(o) ==
    /\ o \in active
    /\ (op[o].dead /\ Keeps("deadMarkCleared")) \/ ~Keeps("onlyDeadMarksCleared")
    /\ mark' = Unmarked(o) /\ active' = active \ {o}
    /\ UNCHANGED <<tree, alive, fences, joins, links, op, fresh, whole>>

----------------------------------------------------------------------------
(* Instances *)

\* Its transactions are aborted and it answers nothing; its marks stay.
Fenced(i) ==
    LET its == {o \in Ops : op[o].at = i /\ op[o].step \notin {"new", "done"}} IN
    /\ i \in alive /\ fences < MaxFences
    /\ alive' = alive \ {i} /\ fences' = fences + 1
    /\ links' = [links EXCEPT ![i] = Cold]
    /\ op' = [x \in Ops |-> [op[x] EXCEPT !.dead = (@ \/ x \in its), !.counted = (@ /\ x \notin its),
                                          !.drains = @ \ its, !.invs = @ \ {i}]]
    /\ UNCHANGED <<tree, mark, active, joins, fresh, whole>>

Joins(i) ==
    /\ i \notin alive /\ joins < MaxJoins
    /\ alive' = alive \cup {i} /\ joins' = joins + 1
    /\ UNCHANGED <<tree, mark, active, fences, links, op, fresh, whole>>

----------------------------------------------------------------------------
Runs1(o) ==
    \/ \E i \in Instances : Begins(o, i) \/ Invalidated(o, i)
    \/ BeginsAgain(o) \/ Resolves(o) \/ PublishesLink(o) \/ ReadReplies(o)
    \/ CreateLocks(o) \/ CreateCommits(o) \/ CreateCommitsLate(o) \/ CreateAborts(o)
    \/ Marks(o) \/ WritesRow(o) \/ Forgets(o)

Next ==
    \/ \E o \in Ops : Runs1(o) \/ CreateLosesAnswer(o) \/ MarkLosesAnswer(o) \/ ClearsMark(o)
    \/ \E i \in Instances : Fenced(i) \/ Joins(i)

Spec == Init /\ [][Next]_vars

LiveSpec == Spec /\ \A o \in Ops : WF_vars(Runs1(o)) /\ WF_vars(ClearsMark(o) /\ op[o].dead)

----------------------------------------------------------------------------
\* I1: every answer was true at some moment between the request's arrival and its reply.
I1 == fresh

\* I2: a chain of links that a live instance holds, and could answer from, is what the store holds.
I2 ==
    \A i \in alive, p \in Paths :
        (\A k \in 1..Len(p) : links[i][SubSeq(p, 1, k)] # "none") =>
            \A k \in 1..Len(p) :
                /\ tree.parent[p[k]] = Above(SubSeq(p, 1, k))
                /\ links[i][SubSeq(p, 1, k)] = IF tree.open[p[k]] THEN "open" ELSE "closed"

\* I5: following the parents of a directory that has not been removed, one comes to the root.
RECURSIVE Reaches(_, _)
Reaches(d, n) == d \in {Root, Nowhere} \/ (n > 0 /\ Reaches(tree.parent[d], n - 1))
I5 == \A d \in Dirs : Reaches(d, Cardinality(Dirs))

\* I6: no change surfaces where its path does not lead, or does not lead any more.
I6 == whole

\* I7: an operation at an instance that is not fenced ends, whoever else is.
I7 == \A o \in Ops : op[o].step # "new" ~> (op[o].step = "done" \/ op[o].dead)

Symmetry == Permutations(Instances)
=============================================================================
