----------------------------- MODULE Coherence -----------------------------
(***************************************************************************)
(* What an instance may cache, when a write may commit, who may answer     *)
(* (docs/PROTOCOL.md: R1, R3, R6, R7, W4, W5, W6, W7, E1, E3, E4; the paper's  *)
(* section 3.5). One directory with a few names lives in the store. The    *)
(* instances of the deployment that owns it (Owners) cache entries and the *)
(* listing, complete but for names; those of others (Guests) only lead     *)
(* writes. Writers                                                         *)
(* lock, invalidate, await every ACK or a fence, commit and publish;       *)
(* readers answer from the cache under a lease; instances join, leave,     *)
(* freeze, hang, crash, are fenced, and come back under a new epoch.       *)
(*                                                                         *)
(* A hang, a pause (SIGSTOP), a lost or late message is a step that does   *)
(* not come. Time is what is left of each lease, renewal and fence: Tick   *)
(* takes one from all of them at once, and nobody needs to notice.         *)
(*                                                                         *)
(* Without names the rules that are left out; {} is the full protocol.     *)
(***************************************************************************)
EXTENDS Naturals, FiniteSets, TLC

CONSTANTS
    Owners,     \* instances of the deployment that caches the directory's names
    Guests,     \* instances of other deployments
    Nobody,     \* no instance
    Hung,       \* those that hang when they like: for liveness only
    Started,    \* those that are live at the beginning
    Names,      \* of the directory's possible children
    Walks,      \* sets of names that one request looks up
    Roles,      \* cached: "entry", "listing"
    Kinds,      \* of writes: "set", "make", "remove"
    Faults,     \* that happen: "hang" (time passes, and who hangs is fenced), "renewal", "crash", "leave"
    MaxWrites,  \* commits
    MaxEpochs,  \* joins, those at the beginning counted
    Lease,      \* its length in ticks
    Without     \* rules left out

Instances == Owners \cup Guests
Epochs == 1..MaxEpochs
NoValue == MaxWrites + 2    \* not cached
Absent == 0                 \* the name does not exist
Values == 0..(MaxWrites + 1)
NoListing == [n \in Names |-> NoValue]

Keeps(rule) == rule \notin Without

VARIABLES
    store,      \* name -> value; Absent where there is none
    writes,     \* commits so far
    alive,      \* epochs with a row in the store
    members,    \* epochs that the coordinator lists
    renewable,  \* epochs whose renewals are not refused
    present,    \* epochs whose session with the coordinator stands
    taken,      \* epochs given so far
    runs,       \* epoch -> the process that answers messages to it; Nobody after a crash
    fence,      \* epoch -> [step, wait]
    epoch,      \* instance -> its epoch; 0 for none
    join,       \* instance -> "out", "registered", "greeting", "live" (and "listed" without a rule)
    greets,     \* instance -> epochs that have not acknowledged it yet
    view,       \* instance -> epochs that it knows
    lease,      \* instance -> ticks left
    renewal,    \* instance -> [step, age]
    entry,      \* instance -> name -> cached value
    listing,    \* instance -> name -> what the cached listing knows of it; NoValue where it has changed
    fill,       \* instance -> a fill under way
    write,      \* instance -> a write under way
    read,       \* a request that is answered from the cache
    fresh,      \* I1 so far
    lawful      \* I3 so far

coordination == <<alive, members, renewable, present, taken, runs, fence>>
tenure == <<epoch, join, greets, view, lease, renewal>>
cache == <<entry, listing, fill>>
verdict == <<fresh, lawful>>
vars == <<store, writes, coordination, tenure, cache, write, read, verdict>>

----------------------------------------------------------------------------
NoFence == [step |-> "none", wait |-> 0]
NoRenewal == [step |-> "none", age |-> 0]
NoFill == [step |-> "none", role |-> "entry", name |-> CHOOSE n \in Names : TRUE,
           value |-> NoListing]
NoWrite == [step |-> "none", epoch |-> 0, name |-> CHOOSE n \in Names : TRUE, kind |-> "set",
            held |-> FALSE, awaits |-> {}, ticket |-> FALSE, value |-> NoValue]
NoRead == [step |-> "none", at |-> Nobody, epoch |-> 0, walk |-> {}, got |-> NoListing, seen |-> {}]

\* The epoch that an instance has at the beginning: any numbering will do.
FirstEpoch == CHOOSE f \in [Started -> 1..Cardinality(Started)] :
                  \A i, j \in Started : i # j => f[i] # f[j]
FirstEpochs == 1..Cardinality(Started)

Init ==
    /\ store = [n \in Names |-> IF Kinds = {"make"} THEN Absent ELSE 1]
    /\ writes = 0
    /\ alive = FirstEpochs /\ members = FirstEpochs
    /\ renewable = FirstEpochs /\ present = FirstEpochs
    /\ taken = Cardinality(Started)
    /\ runs = [e \in Epochs |-> IF e \in FirstEpochs THEN CHOOSE i \in Started : FirstEpoch[i] = e ELSE Nobody]
    /\ fence = [e \in Epochs |-> NoFence]
    /\ epoch = [i \in Instances |-> IF i \in Started THEN FirstEpoch[i] ELSE 0]
    /\ join = [i \in Instances |-> IF i \in Started THEN "live" ELSE "out"]
    /\ greets = [i \in Instances |-> {}]
    /\ view = [i \in Instances |-> IF i \in Started THEN FirstEpochs ELSE {}]
    /\ lease = [i \in Instances |-> IF i \in Started THEN Lease ELSE 0]
    /\ renewal = [i \in Instances |-> NoRenewal]
    /\ entry = [i \in Instances |-> NoListing]
    /\ listing = [i \in Instances |-> NoListing]
    /\ fill = [i \in Instances |-> NoFill]
    /\ write = [i \in Instances |-> NoWrite]
    /\ read = NoRead
    /\ fresh = TRUE /\ lawful = TRUE

----------------------------------------------------------------------------
(* Of an instance *)

Timed == "hang" \in Faults
LeaseStands(i) == lease[i] > 0
Live(i) == join[i] = "live"
\* What NameNode.isLive says: joined, the same epoch, under a standing lease.
IsLive(i, e) == Live(i) /\ epoch[i] = e /\ e # 0 /\ LeaseStands(i)

\* An INV at an instance: the name's entry goes, and the listing does not know the name any more; what was read to fill the name is
\* void, and a listing that was read to be filled does not know it either; and the version is another, so that a walk under way is a
\* miss. (What is void goes at once: it would never be published.)
Covers(w, f) == f.role # "listing" /\ w.name = f.name
EntryAfter(i, w) == [entry[i] EXCEPT ![w.name] = NoValue]
ListingAfter(i, w) == IF Keeps("nameUnknown") THEN [listing[i] EXCEPT ![w.name] = NoValue] ELSE listing[i]
FillAfter(i, w) ==
    LET f == fill[i] IN
    IF ~Keeps("ticket") \/ f.step # "read" THEN f
    ELSE IF f.role = "listing" THEN IF Keeps("nameOutOfFill") THEN [f EXCEPT !.value[w.name] = NoValue] ELSE f
    ELSE IF Covers(w, f) THEN NoFill ELSE f
ReadAfter(i) == IF Keeps("singleVersionLookups") /\ read.at = i THEN NoRead ELSE read

\* Everything goes: the epoch has ended, or a new one has joined.
Cleared(i) ==
    /\ entry' = IF Keeps("clearedAtEnd") THEN [entry EXCEPT ![i] = NoListing] ELSE entry
    /\ listing' = IF Keeps("clearedAtEnd") THEN [listing EXCEPT ![i] = NoListing] ELSE listing
    /\ fill' = IF Keeps("ticketOfEpoch") THEN [fill EXCEPT ![i] = NoFill] ELSE fill
    /\ read' = ReadAfter(i)

----------------------------------------------------------------------------
(* A write *)

\* The others that may hold what a write changes, as its leader knows them.
Holders(i, e) == {m \in view[i] : m # e /\ runs[m] \in Owners \cup {Nobody}}

Held(n) == \E j \in Instances : write[j].held /\ write[j].name = n
Changes(kind, n) == IF kind = "make" THEN store[n] = Absent ELSE store[n] # Absent

\* Resolves; locks the row alone and the listing lock shared; reads its own epoch's row.
WriteLocks(i) ==
    /\ write[i].step = "none"
    /\ epoch[i] # 0 /\ epoch[i] \in alive
    /\ Live(i) \/ (~Keeps("writesAfterJoin") /\ join[i] # "out")
    /\ writes + Cardinality({j \in Instances : write[j].step \in {"locked", "round", "alone"}}) < MaxWrites
    /\ \E n \in Names, kind \in Kinds :
        /\ Changes(kind, n)
        /\ Keeps("locksBeforeInv") => ~Held(n)
        /\ write' = [write EXCEPT ![i] = [NoWrite EXCEPT !.step = "locked", !.epoch = epoch[i],
                        !.name = n, !.kind = kind, !.held = Keeps("locksBeforeInv")]]
    /\ UNCHANGED <<store, writes, coordination, tenure, cache, read, verdict>>

\* A write that has committed and has nothing to publish has nothing left to do.
Rest(w) ==
    IF w.step = "committed" /\ ((w.kind = "remove" /\ "listing" \notin Roles) \/ (~w.ticket /\ Keeps("publishUnderTicket")))
    THEN NoWrite ELSE w

\* The leader's epoch has ended.
Ticketless(w) == Rest([w EXCEPT !.ticket = FALSE])

\* An INV of w has come to the leader of v: the ticket is void where it names the same.
Voided(v, w) == Rest([v EXCEPT !.ticket = @ /\ w.name # v.name])

\* Invalidates its own trie, takes a ticket, computes the targets from its view, sends INV.
WriteInvalidates(i) ==
    LET w == write[i]
        targets == Holders(i, w.epoch)
    IN
    /\ w.step = "locked"
    /\ IsLive(i, w.epoch) \/ ~Keeps("targetsUnderLease")
        \/ (~Keeps("writesAfterJoin") /\ epoch[i] = w.epoch)
    /\ write' = [write EXCEPT ![i].step = "round", ![i].awaits = targets, ![i].ticket = Live(i) /\ i \in Owners]
    /\ IF Keeps("invSelf")
        THEN /\ entry' = [entry EXCEPT ![i] = EntryAfter(i, w)]
             /\ listing' = [listing EXCEPT ![i] = ListingAfter(i, w)]
             /\ fill' = [fill EXCEPT ![i] = FillAfter(i, w)]
             /\ read' = ReadAfter(i)
        ELSE UNCHANGED <<cache, read>>
    /\ UNCHANGED <<store, writes, coordination, tenure, verdict>>

\* Where nobody else may hold what changes: invalidates itself, and sends locks, commit and all in one message.
WriteGoesAlone(i) ==
    /\ write[i].step = "none"
    /\ IsLive(i, epoch[i])
    /\ Holders(i, epoch[i]) = {} \/ ~Keeps("aloneWithoutHolders")
    /\ writes + Cardinality({j \in Instances : write[j].step \in {"locked", "round", "alone"}}) < MaxWrites
    /\ \E n \in Names, kind \in Kinds :
        LET w == [NoWrite EXCEPT !.step = "alone", !.epoch = epoch[i], !.name = n, !.kind = kind, !.ticket = i \in Owners] IN
        /\ Changes(kind, n)
        /\ write' = [write EXCEPT ![i] = w]
        /\ entry' = [entry EXCEPT ![i] = EntryAfter(i, w)]
        /\ listing' = [listing EXCEPT ![i] = ListingAfter(i, w)]
        /\ fill' = [fill EXCEPT ![i] = FillAfter(i, w)]
        /\ read' = ReadAfter(i)
    /\ UNCHANGED <<store, writes, coordination, tenure, verdict>>

\* At the store, whenever it comes: the locks are free, the rows are as expected, the epoch's row is there.
AloneCommits(i) ==
    LET w == write[i]
        value == IF w.kind = "remove" THEN Absent ELSE writes + 2
        after == [w EXCEPT !.step = "committed", !.value = value]
    IN
    /\ w.step = "alone"
    /\ ~Held(w.name) /\ Changes(w.kind, w.name)
    /\ w.epoch \in alive \/ ~Keeps("epochRowInCommit")
    /\ store' = [store EXCEPT ![w.name] = value]
    /\ writes' = writes + 1
    /\ write' = [write EXCEPT ![i] = Rest(after)]
    /\ read' = IF read.step = "none" THEN read ELSE [read EXCEPT !.seen = @ \cup {store'}]
    /\ lawful' = (lawful /\ w.epoch \in alive)
    /\ UNCHANGED <<coordination, tenure, cache, fresh>>

\* The rows are not as expected: the locks are held, and it goes on as the others do.
AloneLocks(i) ==
    /\ write[i].step = "alone"
    /\ ~Held(write[i].name) /\ write[i].epoch \in alive /\ epoch[i] = write[i].epoch
    /\ write' = [write EXCEPT ![i].step = "locked", ![i].held = TRUE, ![i].ticket = FALSE]
    /\ UNCHANGED <<store, writes, coordination, tenure, cache, read, verdict>>

\* A target invalidates, voids tickets, then acknowledges under the epoch that it has.
Acknowledges(i, e) ==
    LET w == write[i]
        j == runs[e]
    IN
    /\ e \in w.awaits /\ j # Nobody
    /\ IF Keeps("invalidateBeforeAck")
        THEN /\ entry' = [entry EXCEPT ![j] = EntryAfter(j, w)]
             /\ listing' = [listing EXCEPT ![j] = ListingAfter(j, w)]
             /\ fill' = [fill EXCEPT ![j] = FillAfter(j, w)]
             /\ read' = ReadAfter(j)
             /\ write' = [k \in Instances |->
                    IF k = i THEN IF epoch[j] = e THEN [w EXCEPT !.awaits = @ \ {e}] ELSE w
                    ELSE IF k = j THEN Voided(write[k], w)
                    ELSE write[k]]
        ELSE /\ UNCHANGED <<cache, read>>
             /\ write' = [write EXCEPT ![i].awaits = @ \ {e}]
    \* Who answers under another epoch holds nothing of the old one; its row may still stand.
    /\ IF epoch[j] # e /\ fence[e].step = "none"
        THEN /\ fence' = [fence EXCEPT ![e] = [step |-> "refused", wait |-> 0]]
             /\ renewable' = renewable \ {e}
        ELSE UNCHANGED <<fence, renewable>>
    /\ UNCHANGED <<store, writes, alive, members, present, taken, runs, tenure, verdict>>

\* Only where INV is sent before the locks are held.
WriteLocksLate(i) ==
    /\ ~Keeps("locksBeforeInv")
    /\ write[i].step = "round" /\ ~write[i].held /\ write[i].awaits = {}
    /\ ~Held(write[i].name) /\ Changes(write[i].kind, write[i].name) /\ write[i].epoch \in alive
    /\ write' = [write EXCEPT ![i].held = TRUE]
    /\ UNCHANGED <<store, writes, coordination, tenure, cache, read, verdict>>

WriteCommits(i) ==
    LET w == write[i]
        value == IF w.kind = "remove" THEN Absent ELSE writes + 2
    IN
    /\ w.step = "round"
    /\ w.held \/ ~Keeps("epochRowInCommit")
    /\ w.awaits = {} \/ ~Keeps("awaitAcks")
    /\ store' = [store EXCEPT ![w.name] = value]
    /\ writes' = writes + 1
    /\ write' = [write EXCEPT ![i] = Rest([w EXCEPT !.step = "committed", !.held = FALSE, !.awaits = {}, !.value = value])]
    /\ read' = IF read.step = "none" THEN read ELSE [read EXCEPT !.seen = @ \cup {store'}]
    /\ lawful' = (lawful /\ w.epoch \in alive)
    /\ UNCHANGED <<coordination, tenure, cache, fresh>>

\* The leader caches the new value, and its listing knows the name again, only under a ticket, which an INV of the name has voided.
WritePublishes(i) ==
    LET w == write[i]
        may == Live(i) /\ (w.ticket \/ ~Keeps("publishUnderTicket"))
        mayEntry == may /\ "entry" \in Roles /\ w.kind # "remove"
        mayListing == may /\ "listing" \in Roles
    IN
    /\ w.step = "committed"
    /\ entry' = IF mayEntry THEN [entry EXCEPT ![i][w.name] = w.value] ELSE entry
    /\ listing' = IF mayListing THEN [listing EXCEPT ![i][w.name] = w.value] ELSE listing
    /\ write' = [write EXCEPT ![i] = NoWrite]
    /\ UNCHANGED <<store, writes, coordination, tenure, fill, read, verdict>>

\* Fails: its epoch is over, the transaction took too long, a lock was not had.
WriteFails(i) ==
    /\ write[i].step \in {"locked", "round"}
    /\ ~IsLive(i, write[i].epoch)
    /\ write' = [write EXCEPT ![i] = NoWrite]
    /\ UNCHANGED <<store, writes, coordination, tenure, cache, read, verdict>>

----------------------------------------------------------------------------
(* A fill. Its ticket and its read are one step: a ticket that is taken earlier is void more often. *)

MayFill(i) ==
    /\ i \in Owners \/ ~Keeps("ownersOnly")
    /\ Live(i) \/ (~Keeps("ticketOfJoin") /\ join[i] # "out")

\* A name that a listing does not know is read alone, under the lock of its row.
FillRoles == Roles \cup (IF "listing" \in Roles THEN {"name"} ELSE {})

FillReads(i) ==
    LET alone == write[i].step = "alone" /\ Keeps("heldWhileAlone") IN
    /\ fill[i].step = "none" /\ MayFill(i)
    /\ \E role \in FillRoles, n \in Names :
        \* What is read while a change of it is under way alone is never published.
        /\ alone => role = "listing" \/ n # write[i].name
        /\ role = "entry" => store[n] # Absent /\ (~Held(n) \/ ~Keeps("fillLock"))
        /\ role = "name" =>
            /\ listing[i][n] = NoValue
            /\ ~Held(n) \/ ~Keeps("nameLock")
        /\ role = "listing" =>
            /\ n = NoFill.name
            /\ (\A j \in Instances : ~write[j].held) \/ ~Keeps("listingLock")
        /\ fill' = [fill EXCEPT ![i] = [step |-> IF Keeps("ticketBeforeRead") THEN "read" ELSE "unticketed",
                        role |-> role, name |-> n, value |->
                        IF role # "listing" THEN [NoListing EXCEPT ![n] = store[n]]
                        ELSE IF alone THEN [store EXCEPT ![write[i].name] = NoValue]
                        ELSE store]]
    /\ UNCHANGED <<store, writes, coordination, tenure, entry, listing, write, read, verdict>>

\* Only where the ticket is taken after the read.
FillTakesTicket(i) ==
    /\ fill[i].step = "unticketed"
    /\ fill' = [fill EXCEPT ![i].step = "read"]
    /\ UNCHANGED <<store, writes, coordination, tenure, entry, listing, write, read, verdict>>

FillPublishes(i) ==
    LET f == fill[i]
        may == MayFill(i)
    IN
    /\ f.step = "read"
    /\ entry' = IF may /\ f.role = "entry" THEN [entry EXCEPT ![i][f.name] = f.value[f.name]] ELSE entry
    /\ listing' = IF may /\ f.role = "listing" THEN [listing EXCEPT ![i] = f.value]
                  ELSE IF may /\ f.role = "name" THEN [listing EXCEPT ![i][f.name] = f.value[f.name]] ELSE listing
    /\ fill' = [fill EXCEPT ![i] = NoFill]
    /\ UNCHANGED <<store, writes, coordination, tenure, write, read, verdict>>

\* Eviction of a child that only the listing knows takes the listing's completeness with it.
Evicts(i, n) ==
    /\ listing[i][n] \notin {Absent, NoValue}
    /\ ~Keeps("evictionDropsListing")
    /\ listing' = [listing EXCEPT ![i][n] = Absent]
    /\ UNCHANGED <<store, writes, coordination, tenure, entry, fill, write, read, verdict>>

----------------------------------------------------------------------------
(* A read from the cache *)

Known(i, n) == IF entry[i][n] # NoValue THEN entry[i][n] ELSE listing[i][n]

ReadArrives(i) ==
    /\ read.step = "none" /\ Live(i)
    /\ \E walk \in Walks, n \in Names :
        /\ n \in walk /\ Known(i, n) # NoValue
        /\ read' = [step |-> "walking", at |-> i, epoch |-> epoch[i], walk |-> walk,
                    got |-> [NoListing EXCEPT ![n] = Known(i, n)], seen |-> {store}]
    /\ UNCHANGED <<store, writes, coordination, tenure, cache, write, verdict>>

ReadWalksOn ==
    /\ read.step = "walking"
    /\ \E n \in read.walk :
        /\ read.got[n] = NoValue /\ Known(read.at, n) # NoValue
        /\ read' = [read EXCEPT !.got[n] = Known(read.at, n)]
    /\ UNCHANGED <<store, writes, coordination, tenure, cache, write, verdict>>

\* All of the walk is of one version, and the lease of the epoch that was current before it stands.
ReadReplies ==
    LET complete == \A n \in read.walk : read.got[n] # NoValue
        answer == [n \in read.walk |-> read.got[n]]
    IN
    /\ read.step = "walking" /\ complete
    /\ IsLive(read.at, read.epoch) \/ ~Keeps("leaseCheck")
    /\ fresh' = (fresh /\ \E s \in read.seen : answer = [n \in read.walk |-> s[n]])
    /\ lawful' = (lawful /\ LeaseStands(read.at))
    /\ read' = NoRead
    /\ UNCHANGED <<store, writes, coordination, tenure, cache, write>>

\* A walk that comes to its end under a lost lease is a miss.
ReadMisses ==
    /\ read.step = "walking"
    /\ ~IsLive(read.at, read.epoch)
    /\ read' = NoRead
    /\ UNCHANGED <<store, writes, coordination, tenure, cache, write, verdict>>

----------------------------------------------------------------------------
(* Epochs: join, leave, freeze, crash *)

OwnEpochs(i) == {e \in Epochs : runs[e] = i}

\* A fresh epoch and its row in one transaction, then the registration. There is no lease yet.
JoinRegisters(i) ==
    LET e == taken + 1 IN
    /\ join[i] = (IF Keeps("listAfterRegister") THEN "out" ELSE "listed") /\ taken < MaxEpochs
    /\ \A old \in OwnEpochs(i) : old \notin alive /\ old \notin members
    /\ taken' = e
    /\ alive' = alive \cup {e} /\ members' = members \cup {e}
    /\ renewable' = renewable \cup {e} /\ present' = present \cup {e}
    /\ runs' = [runs EXCEPT ![e] = i]
    /\ epoch' = [epoch EXCEPT ![i] = e]
    /\ join' = [join EXCEPT ![i] = "registered"]
    /\ view' = [view EXCEPT ![i] = @ \cup {e}]
    /\ UNCHANGED <<store, writes, fence, greets, lease, renewal, cache, write, read, verdict>>

\* Only where the list is read before the registration.
JoinListsEarly(i) ==
    /\ ~Keeps("listAfterRegister") /\ join[i] = "out"
    /\ join' = [join EXCEPT ![i] = "listed"]
    /\ view' = [view EXCEPT ![i] = members]
    /\ UNCHANGED <<store, writes, coordination, epoch, greets, lease, renewal, cache, write, read, verdict>>

JoinLists(i) ==
    LET listed == IF Keeps("listAfterRegister") THEN members ELSE view[i] IN
    /\ join[i] = "registered"
    /\ epoch[i] \in members
    /\ join' = [join EXCEPT ![i] = "greeting"]
    /\ view' = [view EXCEPT ![i] = @ \cup listed]
    /\ greets' = [greets EXCEPT ![i] = IF Keeps("handshake") THEN listed \ {epoch[i]} ELSE {}]
    /\ UNCHANGED <<store, writes, coordination, epoch, lease, renewal, cache, write, read, verdict>>

\* In the view before the acknowledgement: from here on every round of that instance includes the newcomer. What it has begun alone ends
\* first.
Greeted(i, e) ==
    LET j == runs[e]
        drained == write[j].step # "alone" \/ ~Keeps("greetingAwaitsAlone")
    IN
    /\ e \in greets[i] /\ j # Nobody
    /\ view' = [view EXCEPT ![j] = @ \cup ({epoch[i]} \cap members)]
    /\ greets' = IF epoch[j] = e /\ drained THEN [greets EXCEPT ![i] = @ \ {e}] ELSE greets
    /\ IF epoch[j] # e /\ fence[e].step = "none"
        THEN /\ fence' = [fence EXCEPT ![e] = [step |-> "refused", wait |-> 0]]
             /\ renewable' = renewable \ {e}
        ELSE UNCHANGED <<fence, renewable>>
    /\ UNCHANGED <<store, writes, alive, members, present, taken, runs, epoch, join, lease, renewal, cache, write,
                   read, verdict>>

\* A renewal is sent when all have acknowledged or are fenced, and again where the answer came too late.
JoinRenews(i) ==
    /\ join[i] = "greeting" /\ greets[i] = {}
    /\ renewal[i].step = "none" \/ (renewal[i].step = "accepted" /\ renewal[i].age = Lease)
    /\ renewal' = [renewal EXCEPT ![i] = [step |-> "sent", age |-> 0]]
    /\ UNCHANGED <<store, writes, coordination, epoch, join, greets, view, lease, cache, write, read, verdict>>

\* Live under the lease of that renewal. Tickets of before are void.
JoinCompletes(i) ==
    /\ join[i] = "greeting" /\ greets[i] = {}
    /\ (renewal[i].step = "accepted" /\ renewal[i].age < Lease) \/ ~Keeps("joinEndsWithRenewal")
    /\ join' = [join EXCEPT ![i] = "live"]
    /\ lease' = [lease EXCEPT ![i] = Lease - renewal[i].age]
    /\ renewal' = [renewal EXCEPT ![i] = NoRenewal]
    /\ fill' = IF Keeps("ticketOfJoin") /\ Keeps("ticketOfEpoch")
               THEN [fill EXCEPT ![i] = NoFill] ELSE fill
    /\ UNCHANGED <<store, writes, coordination, epoch, greets, view, entry, listing, write, read, verdict>>

\* The lease ran out or was refused, or the instance leaves or is about to be suspended: it answers nothing from here on.
Ends(i) ==
    /\ epoch' = [epoch EXCEPT ![i] = 0]
    /\ join' = [join EXCEPT ![i] = "out"]
    /\ greets' = [greets EXCEPT ![i] = {}]
    /\ lease' = [lease EXCEPT ![i] = 0]
    /\ renewal' = [renewal EXCEPT ![i] = NoRenewal]
    /\ Cleared(i)

\* Renewals that are refused tell it that it is fenced, also while it joins.
IsOver(i) ==
    \/ Live(i) /\ ~LeaseStands(i)
    \/ renewal[i].step = "refused"
    \/ ~Live(i) /\ epoch[i] \notin renewable

EpochEnds(i) ==
    /\ epoch[i] # 0
    /\ "leave" \in Faults \/ IsOver(i)
    /\ Ends(i)
    /\ write' = [write EXCEPT ![i] = Ticketless(@)]
    /\ UNCHANGED <<store, writes, coordination, view, verdict>>

\* The instance itself puts an epoch of its own to its end: the row, then the membership. No writer waits for it.
Retires(i) ==
    \E e \in OwnEpochs(i) :
        /\ e # epoch[i] /\ e \in members /\ fence[e].step \in {"none", "refused"}
        /\ fence' = [fence EXCEPT ![e] = [step |-> "refused", wait |-> 0]]
        /\ renewable' = renewable \ {e}
        /\ fence[e] # fence'[e]
        /\ UNCHANGED <<store, writes, alive, members, present, taken, runs, tenure, cache, write, read, verdict>>

Crashes(i) ==
    /\ "crash" \in Faults /\ epoch[i] # 0
    /\ Ends(i)
    /\ view' = [view EXCEPT ![i] = {}]
    \* What it has sent may arrive yet.
    /\ runs' = [e \in Epochs |-> IF runs[e] = i THEN Nobody ELSE runs[e]]
    /\ write' = [write EXCEPT ![i] = IF @.step = "alone" THEN Ticketless(@) ELSE NoWrite]
    /\ UNCHANGED <<store, writes, alive, members, renewable, present, taken, fence, verdict>>

----------------------------------------------------------------------------
(* Leases *)

RenewalSent(i) ==
    /\ "renewal" \in Faults /\ epoch[i] # 0 /\ LeaseStands(i) /\ renewal[i].step = "none"
    \* One sent at full length extends nothing.
    /\ lease[i] < Lease \/ ~Keeps("leaseFromSend")
    /\ renewal' = [renewal EXCEPT ![i] = [step |-> "sent", age |-> 0]]
    /\ UNCHANGED <<store, writes, coordination, epoch, join, greets, view, lease, cache, write, read, verdict>>

\* A write at the coordinator, which a fence makes fail, and the end of the session too.
RenewalDecided(i) ==
    /\ renewal[i].step = "sent"
    /\ renewal' = [renewal EXCEPT ![i].step =
            IF (epoch[i] \in renewable \/ ~Keeps("refuseRenewals")) /\ epoch[i] \in present
            THEN "accepted" ELSE "refused"]
    /\ UNCHANGED <<store, writes, coordination, epoch, join, greets, view, lease, cache, write, read, verdict>>

RenewalAnswered(i) ==
    LET left == IF Keeps("leaseFromSend") THEN Lease - renewal[i].age ELSE Lease IN
    /\ renewal[i].step = "accepted" /\ Live(i)
    /\ lease' = [lease EXCEPT ![i] = IF LeaseStands(i) /\ left > @ THEN left ELSE @]
    /\ renewal' = [renewal EXCEPT ![i] = NoRenewal]
    /\ UNCHANGED <<store, writes, coordination, epoch, join, greets, view, cache, write, read, verdict>>

\* It stands, or will with the answer to the renewal that ends a join.
LeaseIsDue(i) == LeaseStands(i) \/ (~Live(i) /\ renewal[i].step = "accepted" /\ renewal[i].age < Lease)

\* The coordinator's session is longer than lease and drift, and renewals go by that session alone: when it ends, no lease stands.
SessionEnds(e) ==
    LET i == runs[e] IN
    /\ Timed /\ e \in present /\ e \in members
    /\ \/ i = Nobody
       \/ i # Nobody /\ (epoch[i] # e \/ ~LeaseIsDue(i) \/ ~Keeps("sessionOutlastsLease"))
    /\ present' = present \ {e}
    /\ UNCHANGED <<store, writes, alive, members, renewable, taken, runs, fence, tenure, cache, write, read, verdict>>

Left(n) == IF n > 0 THEN n - 1 ELSE 0

Tick ==
    /\ Timed
    /\ \/ \E i \in Instances : lease[i] > 0 \/ (renewal[i].step # "none" /\ renewal[i].age < Lease)
       \/ \E e \in Epochs : fence[e].wait > 0
    /\ lease' = [i \in Instances |-> Left(lease[i])]
    /\ renewal' = [i \in Instances |->
            IF renewal[i].step = "none" \/ renewal[i].age = Lease THEN renewal[i] ELSE [renewal[i] EXCEPT !.age = @ + 1]]
    /\ fence' = [e \in Epochs |-> [fence[e] EXCEPT !.wait = Left(@)]]
    /\ UNCHANGED <<store, writes, alive, members, renewable, present, taken, runs, epoch, join, greets, view, cache,
                   write, read, verdict>>

----------------------------------------------------------------------------
(* A fence: renewals refused, the lease outlasted, the row dead and its transactions aborted, the member forgotten *)

Awaited(e) == \E i \in Instances : e \in write[i].awaits \/ e \in greets[i]

\* Who has crashed may be known to have gone: then a lease that nobody can use is not waited for.
Waits(e) ==
    IF e \notin present \/ ~Keeps("fenceOutlastsLease") THEN {0}
    ELSE IF runs[e] = Nobody THEN {0, Lease}
    ELSE {Lease}

FenceBegins(e) ==
    /\ Timed \/ runs[e] = Nobody
    /\ e \in members /\ fence[e].step = "none"
    /\ (Awaited(e) /\ Keeps("fenceWhoMisses")) \/ e \notin present
    /\ \E wait \in Waits(e) : fence' = [fence EXCEPT ![e] = [step |-> "refused", wait |-> wait]]
    /\ renewable' = renewable \ {e}
    /\ UNCHANGED <<store, writes, alive, members, present, taken, runs, tenure, cache, write, read, verdict>>

\* The store aborts what is open under the epoch, then removes the row.
Aborted(e) == [i \in Instances |->
    IF write[i].epoch # e \/ write[i].step \notin {"locked", "round", "alone"} THEN write[i]
    ELSE IF Keeps("epochRowInCommit") THEN NoWrite ELSE [write[i] EXCEPT !.held = FALSE]]

FenceKills(e) ==
    /\ fence[e].wait = 0
    /\ fence[e].step = IF Keeps("epochKilledBeforeForgotten") THEN "refused" ELSE "forgotten"
    /\ Keeps("fenceAborts") \/ \A i \in Instances : write[i].epoch = e => ~write[i].held
    /\ fence' = [fence EXCEPT ![e].step = "killed"]
    /\ alive' = alive \ {e}
    /\ write' = Aborted(e)
    /\ UNCHANGED <<store, writes, members, renewable, present, taken, runs, tenure, cache, read, verdict>>

FenceForgets(e) ==
    /\ fence[e].wait = 0
    /\ fence[e].step = IF Keeps("epochKilledBeforeForgotten") THEN "killed" ELSE "refused"
    /\ e \in members
    /\ fence' = [fence EXCEPT ![e].step = "forgotten"]
    /\ members' = members \ {e}
    /\ present' = present \ {e}
    /\ view' = [i \in Instances |-> view[i] \ {e}]
    /\ greets' = [i \in Instances |-> greets[i] \ {e}]
    /\ write' = [i \in Instances |-> [write[i] EXCEPT !.awaits = @ \ {e}]]
    /\ UNCHANGED <<store, writes, alive, renewable, taken, runs, epoch, join, lease, renewal, cache, read, verdict>>

----------------------------------------------------------------------------
Next ==
    \/ \E i \in Instances :
        \/ WriteLocks(i) \/ WriteInvalidates(i) \/ WriteLocksLate(i) \/ WriteCommits(i) \/ WritePublishes(i)
        \/ WriteFails(i) \/ WriteGoesAlone(i) \/ AloneCommits(i) \/ AloneLocks(i)
        \/ \E e \in Epochs : Acknowledges(i, e) \/ Greeted(i, e)
        \/ FillReads(i) \/ FillTakesTicket(i) \/ FillPublishes(i)
        \/ \E n \in Names : Evicts(i, n)
        \/ ReadArrives(i)
        \/ JoinListsEarly(i) \/ JoinRegisters(i) \/ JoinLists(i) \/ JoinRenews(i) \/ JoinCompletes(i)
        \/ EpochEnds(i) \/ Retires(i) \/ Crashes(i)
        \/ RenewalSent(i) \/ RenewalDecided(i) \/ RenewalAnswered(i)
    \/ ReadWalksOn \/ ReadReplies \/ ReadMisses
    \/ \E e \in Epochs : SessionEnds(e) \/ FenceBegins(e) \/ FenceKills(e) \/ FenceForgets(e)
    \/ Tick

Spec == Init /\ [][Next]_vars

\* The store, the coordinator, time, and every instance that does not hang go on. (Leaving, crashing, acknowledging: nobody must.)
Fairness ==
    /\ WF_vars(Tick)
    /\ \A i \in Instances \ Hung :
        /\ WF_vars(WriteInvalidates(i)) /\ WF_vars(WriteCommits(i)) /\ WF_vars(WriteFails(i))
        /\ WF_vars(AloneCommits(i) \/ AloneLocks(i))
        /\ WF_vars(JoinLists(i)) /\ WF_vars(JoinRenews(i)) /\ WF_vars(RenewalDecided(i)) /\ WF_vars(JoinCompletes(i))
        /\ WF_vars(IsOver(i) /\ EpochEnds(i))
    /\ \A e \in Epochs : WF_vars(FenceBegins(e)) /\ WF_vars(FenceKills(e)) /\ WF_vars(FenceForgets(e))

LiveSpec == Spec /\ Fairness

----------------------------------------------------------------------------
Types ==
    /\ store \in [Names -> Values]
    /\ alive \subseteq Epochs /\ members \subseteq Epochs
    /\ \A i \in Instances : epoch[i] \in 0..MaxEpochs /\ lease[i] \in 0..Lease /\ view[i] \subseteq members
    /\ \A i \in Instances : write[i].held => write[i].step \in {"locked", "round"}

\* I1: an answer from the cache is what the store held at some moment between the request's arrival and its reply.
I1 == fresh

\* I2: nobody who may answer holds, or can still publish, what the store has replaced.
MayServe(i) == Live(i) /\ LeaseStands(i)
I2 ==
    \A i \in Instances : MayServe(i) =>
        /\ \A n \in Names : entry[i][n] \in {NoValue, store[n]}
        /\ \A n \in Names : listing[i][n] \in {NoValue, store[n]}
        /\ fill[i].step = "read" =>
            \A n \in Names : fill[i].value[n] \in {NoValue, store[n]}
        /\ write[i].step = "committed" => write[i].value = store[write[i].name]

\* I3: nothing is answered from the cache after the lease, and nothing committed under a dead epoch.
I3 == lawful

\* I7: a round and a join end, whoever else hangs.
RoundsEnd == \A i \in Instances \ Hung : write[i].step = "round" ~> write[i].step # "round"
JoinsEnd == \A i \in Instances \ Hung : join[i] = "greeting" ~> join[i] # "greeting"
I7 == RoundsEnd /\ JoinsEnd

Symmetry == Permutations(Owners) \cup Permutations(Guests)
=============================================================================
