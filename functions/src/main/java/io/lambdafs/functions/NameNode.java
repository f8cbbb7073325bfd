package io.lambdafs.functions;

import io.lambdafs.coordinator.InstanceSession;
import io.lambdafs.coordinator.View;
import io.lambdafs.functions.cache.Ticket;
import io.lambdafs.functions.cache.Walk;
import io.lambdafs.functions.coherence.Coherence;
import io.lambdafs.functions.housekeeping.ChangeTrimmer;
import io.lambdafs.functions.housekeeping.Housekeeper;
import io.lambdafs.functions.housekeeping.LeaseSweeper;
import io.lambdafs.functions.housekeeping.ObjectSweeper;
import io.lambdafs.functions.housekeeping.Reclaimer;
import io.lambdafs.functions.housekeeping.SlotSweeper;
import io.lambdafs.functions.housekeeping.SnapshotSweeper;
import io.lambdafs.functions.housekeeping.TrashSweeper;
import io.lambdafs.functions.inflight.InFlight;
import io.lambdafs.functions.namenode.Access;
import io.lambdafs.functions.namenode.IdAllocator;
import io.lambdafs.functions.namenode.NameNodeContext;
import io.lambdafs.functions.namenode.NameNodeSettings;
import io.lambdafs.functions.namenode.OperationContext;
import io.lambdafs.functions.namenode.Resolver;
import io.lambdafs.functions.namenode.WatchedStore;
import io.lambdafs.functions.namenode.Writes;
import io.lambdafs.functions.namenode.block.BlockPlaces;
import io.lambdafs.functions.namenode.block.BlockReads;
import io.lambdafs.functions.namenode.block.Locations;
import io.lambdafs.functions.namenode.read.CachedReads;
import io.lambdafs.functions.namenode.read.SnapshotReads;
import io.lambdafs.functions.namenode.read.StoreReads;
import io.lambdafs.functions.namenode.snapshot.Snapshotted;
import io.lambdafs.functions.namenode.transaction.Call;
import io.lambdafs.functions.namenode.transaction.Restart;
import io.lambdafs.functions.serving.RequestExecutor;
import io.lambdafs.functions.subtree.SubtreeOperations;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.inode.INode;
import io.lambdafs.model.inode.Principal;
import io.lambdafs.model.operation.FileOperation;
import io.lambdafs.model.operation.Operation;
import io.lambdafs.model.operation.Placement;
import io.lambdafs.model.operation.ReadOperation;
import io.lambdafs.model.operation.Reply;
import io.lambdafs.model.operation.RequestId;
import io.lambdafs.model.time.Scheduler;
import io.lambdafs.rpc.message.OperationReply;
import io.lambdafs.rpc.message.OperationRequest;
import io.lambdafs.store.MetadataStore;
import io.lambdafs.store.block.LiveDatanodes;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Executes file system operations. A cache hit is answered on the calling thread, from one version of the trie and
 * under a valid lease. Everything else is counted as in flight, runs asynchronously, and restarts if it meets a subtree
 * operation. Thread-safe.
 */
public final class NameNode implements RequestExecutor, AutoCloseable {
    /** Walks tried before a hit disturbed by invalidations is read from the store instead. */
    private static final int WALKS = 3;
    /** Restarts of one request before its caller has to retry. */
    private static final int MAX_RESTARTS = 50;

    private final NameNodeContext context;
    private final Scheduler scheduler;
    private final InstanceSession session;
    private final CachedReads cached;
    private final Handlers handlers;
    private final SubtreeOperations subtrees;
    private final List<Housekeeper> chores;
    /** Guards the fields below and the order of joins and leaves. */
    private final Object membership = new Object();

    private boolean suspended;
    /** Counts this instance's own requests. */
    private final AtomicLong asked = new AtomicLong();

    public NameNode(NameNodeContext given) {
        this.scheduler = given.scheduler();
        Coherence coherence = new Coherence(given.trie(), given.inFlight(), scheduler, given.telemetry());
        this.session = given.session().apply(coherence);
        coherence.attach(session);
        this.context = given.withStore(new WatchedStore(
                given.store(), scheduler, given.settings().times().drift(), coherence::probeOthers));
        Access access = new Access(context.settings().superuser());
        Resolver resolver = new Resolver(context);
        this.cached = new CachedReads(context.trie(), access);
        BlockPlaces places = new BlockPlaces(
                new LiveDatanodes(context.store(), scheduler),
                context.directStores(),
                context.blockTokens(),
                scheduler);
        Locations locations = new Locations(context.store());
        OperationContext operations = new OperationContext(
                resolver,
                locations,
                places,
                access,
                new Writes(context, coherence, session),
                new IdAllocator(context.store(), "inode", session::epoch),
                new Snapshotted(context.store(), locations),
                session::placement,
                context.deployment(),
                scheduler,
                context.settings());
        this.subtrees = new SubtreeOperations(operations, context.store(), coherence, session::epoch);
        Reclaimer reclaimer = new Reclaimer(
                context.store(), scheduler, session::epoch, context.settings().reclaim(), context.telemetry());
        BlockReads blocks = new BlockReads(context.store(), places);
        SnapshotReads snapshots = new SnapshotReads(context.store(), resolver, access, blocks);
        this.handlers = new Handlers(
                new StoreReads(context, session::placement, resolver, access, blocks, snapshots),
                snapshots,
                blocks,
                operations,
                subtrees,
                reclaimer,
                this::perform);
        this.chores = chores(reclaimer);
    }

    /** Returns all chores; those but the reclaimer's are done by the leader. */
    private List<Housekeeper> chores(Reclaimer reclaimer) {
        MetadataStore store = context.store();
        NameNodeSettings settings = context.settings();
        LongSupplier leading = session::leadingEpoch;
        return List.of(
                reclaimer,
                new ChangeTrimmer(store, scheduler, leading, settings.changeLogEntries()),
                new SlotSweeper(store, scheduler, leading, settings.times().slotLife()),
                new LeaseSweeper(store, scheduler, leading, operation -> perform(0, operation)),
                new TrashSweeper(scheduler, leading, settings.trash(), operation -> perform(1, operation)),
                new SnapshotSweeper(
                        store, scheduler, leading, settings.reclaim().batch()),
                new ObjectSweeper(store, scheduler, leading, context.directStores()));
    }

    /** Performs one of the requests that another consists of. */
    private CompletionStage<Reply> perform(Principal caller, OperationRequest request) {
        Reply hit = request.operation() instanceof ReadOperation<?> read ? hit(caller, read, session.epoch()) : null;
        return hit != null ? CompletableFuture.completedFuture(hit) : new Execution(caller, request).begin();
    }

    /** Performs an internal request as the superuser; sequentially in each slot. */
    private CompletionStage<Reply> perform(int slot, Operation<?> operation) {
        long epoch = session.epoch();
        RequestId id = new RequestId(0, epoch, slot, asked.incrementAndGet());
        long deadline = scheduler.currentTimeMillis()
                + context.settings().times().deadline().toMillis();
        Principal self = new Principal(context.settings().superuser(), List.of());
        return new Execution(self, new OperationRequest(0, id, 1, deadline, operation)).begin();
    }

    /**
     * Joins the membership and starts the chores. Requests may arrive before this completes; they wait for the join. An instance whose first
     * attempt fails joins again by itself, and has its chores then.
     */
    public CompletionStage<Long> start() {
        return session.join().whenComplete((epoch, failure) -> chores.forEach(Housekeeper::start));
    }

    /**
     * Leaves the membership until {@link #resume}; meanwhile requests are refused, and operations begun earlier fail as
     * retriable.
     */
    CompletionStage<Void> suspend() {
        synchronized (membership) {
            suspended = true;
            return session.leave();
        }
    }

    /** Rejoins after {@link #suspend}. */
    CompletionStage<Long> resume() {
        synchronized (membership) {
            suspended = false;
            return session.join();
        }
    }

    /** Joins unless suspended, so that no late join makes a frozen instance a member. */
    private CompletionStage<Long> join() {
        synchronized (membership) {
            return suspended
                    ? CompletableFuture.failedFuture(
                            new FsException(ErrorCode.NOT_READY, "the instance has given its lease back: ask again"))
                    : session.join();
        }
    }

    /** Returns the number of other live members of this deployment. */
    int companions() {
        long own = session.epoch();
        View view = session.view();
        return (int) view.members().values().stream()
                .filter(member -> member.deployment() == context.deployment() && member.epoch() != own)
                .filter(member -> !view.absent().contains(member.epoch()))
                .count();
    }

    /** Returns the current epoch; 0 before the join. */
    public long epoch() {
        return session.epoch();
    }

    /**
     * Returns why the instance has had no lease for longer than a coordinator's session; empty if it has one or
     * recently had.
     */
    public Optional<String> outage() {
        return session.outage(context.settings().times().session());
    }

    /** Stops the chores and leaves the membership in order. Operations under way end first, or fail as retriable. */
    public CompletionStage<Void> leave() {
        chores.forEach(Housekeeper::close);
        return session.leave();
    }

    @Override
    public void close() {
        chores.forEach(Housekeeper::close);
        session.close();
    }

    @Override
    public void execute(Principal caller, OperationRequest request, Consumer<OperationReply> reply) {
        Placement placement = session.placement();
        if (!request.isRoutedBy(placement)) {
            session.heardOf(request.generation());
            reply.accept(
                    new OperationReply(context.deployment(), session.epoch(), false, Reply.Failure.resized(placement)));
            return;
        }
        long began = scheduler.nanoTime();
        Operation<?> operation = request.operation();
        context.telemetry().arrived(caller.user(), operation.kind());
        if (operation instanceof ReadOperation<?> read) {
            long epoch = session.epoch();
            Reply hit = hit(caller, read, epoch);
            if (hit != null) {
                context.telemetry().answered(operation, hit, true, scheduler.nanoTime() - began);
                reply.accept(new OperationReply(context.deployment(), epoch, true, hit));
                return;
            }
        }
        new Execution(caller, request).begin().whenComplete((answer, error) -> {
            Reply result = error == null ? answer : Reply.Failure.of(error);
            context.telemetry().answered(operation, result, false, scheduler.nanoTime() - began);
            reply.accept(new OperationReply(context.deployment(), session.epoch(), false, result));
        });
    }

    @org.jspecify.annotations.Nullable
    private Reply hit(Principal caller, ReadOperation<?> operation, long epoch) {
        for (int i = 0; i < WALKS; i++) {
            Walk walk = cached.walk(operation.path());
            Reply answer = cached.answer(caller, operation, walk);
            if (answer == null) {
                return null;
            }
            if (cached.isCurrent(walk)) {
                return session.isLive(epoch) ? answer : null;
            }
        }
        return null;
    }

    /** The execution of a request that missed the cache. */
    private final class Execution {
        private final Principal caller;
        private final OperationRequest request;
        private final long giveUpNanos;
        private Operation<?> operation;
        private int restarts;

        Execution(Principal caller, OperationRequest request) {
            this.caller = caller;
            this.request = request;
            this.operation = request.operation();
            // The client retries after an attempt's time, so continuing longer gains nothing.
            this.giveUpNanos = scheduler.nanoTime()
                    + context.settings().times().transaction().toNanos();
        }

        /**
         * Begins the execution. The deadline is checked by the store at commit, by a single clock instead of one per
         * instance.
         */
        CompletionStage<Reply> begin() {
            // Taken before reading the epoch: fills under this ticket are void once that epoch ends.
            Ticket first = context.trie().ticket();
            long epoch = session.epoch();
            return epoch != 0 ? admit(epoch, first) : join().thenCompose(joined -> begin());
        }

        /**
         * Returns the latest commit deadline: a client with a clock far ahead must not commit when its slot may have
         * expired.
         */
        private long latest(OperationRequest asked) {
            long half = context.settings().times().slotLife().toMillis() / 2;
            return Math.min(asked.deadlineMillis(), scheduler.currentTimeMillis() + half);
        }

        private CompletionStage<Reply> admit(long epoch, Ticket first) {
            Call call = new Call(caller, request.id(), latest(request), epoch, first, request.trace());
            InFlight.Handle handle = context.inFlight().begin(operation.path(), operation.destination());
            call.counted(handle);
            CompletionStage<Reply> steps;
            try {
                steps = handlers.begin(call, operation);
            } catch (RuntimeException e) {
                steps = CompletableFuture.failedFuture(e);
            }
            return steps.handle((reply, error) -> {
                        call.leaveInFlight();
                        return error == null ? checkLease(call, reply) : recover(call, FsException.unwrap(error));
                    })
                    .thenCompose(reply -> reply);
        }

        /**
         * Checks the lease before replying: a resolution from the cache needs a valid lease; a write proved its epoch
         * by committing.
         */
        private CompletionStage<Reply> checkLease(Call call, Reply reply) {
            if (!operation.isWrite() && !session.isLive(call.epoch())) {
                return CompletableFuture.failedFuture(
                        new FsException(ErrorCode.FENCED, "the instance lost its lease while it answered: ask again"));
            }
            return CompletableFuture.completedFuture(reply);
        }

        private CompletionStage<Reply> recover(Call call, Throwable error) {
            if (error instanceof FsException failure
                    && !operation.isWrite()
                    && failure.code().disposition() == io.lambdafs.model.Disposition.FINAL) {
                return checkLease(call, Reply.Failure.of(failure));
            }
            if (!(error instanceof Restart restart)) {
                return CompletableFuture.failedFuture(error);
            }
            if (++restarts > MAX_RESTARTS || isLate()) {
                return CompletableFuture.failedFuture(
                        new FsException(ErrorCode.SUBTREE_BUSY, restart.getMessage() + ": try again"));
            }
            if (operation instanceof FileOperation.OnOpenFile onOpenFile && restart.moved() != null) {
                operation = onOpenFile.at(restart.moved());
            }
            INode marked = restart.flagged();
            return marked == null
                    ? begin()
                    : subtrees.awaitUnmarked(marked, this::isLate).thenCompose(done -> begin());
        }

        private boolean isLate() {
            return scheduler.nanoTime() - giveUpNanos > 0;
        }
    }
}
