package io.lambdafs.hammer.scale;

import io.lambdafs.functions.serving.RequestExecutor;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.inode.Attributes;
import io.lambdafs.model.inode.INode;
import io.lambdafs.model.inode.Principal;
import io.lambdafs.model.operation.FileOperation;
import io.lambdafs.model.operation.NamespaceOperation;
import io.lambdafs.model.operation.Operation;
import io.lambdafs.model.operation.ReadOperation;
import io.lambdafs.model.operation.Reply;
import io.lambdafs.model.time.Scheduler;
import io.lambdafs.model.time.Times;
import io.lambdafs.rpc.message.OperationReply;
import io.lambdafs.rpc.message.OperationRequest;
import io.lambdafs.simulation.SimulatedProcess;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A stand-in for a NameNode: the use that an operation makes of the instance's processors, of the store and of other
 * instances, depending on the cache. Reads are answered from the cache or fill it; a write is one message to the store
 * if the deployment has no other instance, and otherwise locks, a round of INVs to all of them, and a commit. Waiting
 * for locks is not simulated: two concurrent writes of one name are rare. Not thread-safe.
 */
final class ModelNameNode implements RequestExecutor {
    private static final Attributes FILE = new Attributes(
            "f", 1_000, new INode.Traits(INode.Kind.FILE, "u", "g", 0644, 1, 1, INode.Content.NONE), 0, 0, 0, 0);
    private static final Reply STATUS = new Reply.Status(FILE);
    private static final Reply OPENED = new Reply.Opened(FILE, new byte[0]);
    /** Time after which a writer proceeds without the acknowledgement of a silent instance. */
    private static final long FENCE_NANOS =
            Times.DEFAULT.ackWait().plus(Times.DEFAULT.lease()).toNanos();

    private static final Reply PAGE = new Reply.Page(List.of(), false);

    /** The parts that all instances share. */
    record Context(ScaleSettings settings, Wires wires, ShardedStore store, Members members) {}

    private final Context context;
    private final int deployment;
    private final long epoch;
    private final SimulatedProcess process;
    private final Processors processors;
    private final ModelCache cache;
    /** Requests waiting for a listing that is already being read. */
    private final Map<Integer, List<Runnable>> listingReads = new HashMap<>();

    private long usedNanos;
    private int inFlight;
    private long operations;

    ModelNameNode(Context context, int deployment, long epoch, SimulatedProcess process, Processors processors) {
        this.context = context;
        this.deployment = deployment;
        this.epoch = epoch;
        this.process = process;
        this.processors = processors;
        ScaleSettings.Namespace names = context.settings.namespace();
        this.cache = new ModelCache(
                names.directories(),
                names.filesPerDirectory(),
                context.settings.instance().cacheEntries());
    }

    long epoch() {
        return epoch;
    }

    SimulatedProcess process() {
        return process;
    }

    ModelCache cache() {
        return cache;
    }

    /** Returns the processor time used. */
    long usedNanos() {
        return usedNanos;
    }

    /**
     * Uses the processors, then continues if the process is still alive.
     *
     * @param warmNanos processor time once the code is compiled
     */
    void work(long warmNanos, Runnable then) {
        long nanos = (long) (warmNanos * context.settings.service().coldness(operations));
        usedNanos += nanos;
        processors.work(nanos, () -> process.message(then));
    }

    private long around(long nanos) {
        return context.settings.service().around(nanos, process.random());
    }

    @Override
    public void execute(Principal caller, OperationRequest request, Consumer<OperationReply> reply) {
        Operation<?> operation = request.operation();
        ScaleSettings.Service service = context.settings.service();
        int directory = Names.directoryOf(operation.path());
        operations++;
        if (operation instanceof ReadOperation.Open) {
            entry(directory, Names.fileOf(operation.path()), around(service.readNanos()), new Answer(reply, OPENED));
        } else if (operation instanceof ReadOperation.Stat) {
            entry(directory, Names.fileOf(operation.path()), around(service.statNanos()), new Answer(reply, STATUS));
        } else if (operation instanceof ReadOperation.ListPage) {
            listing(directory, around(service.listNanos()), new Answer(reply, PAGE));
        } else {
            Answer done = new Answer(reply, operation instanceof FileOperation.Create ? STATUS : Reply.Done.YES);
            write(directory, Names.fileOf(operation.path()), around(writeNanos(operation, service)), done);
        }
    }

    private static long writeNanos(Operation<?> operation, ScaleSettings.Service service) {
        if (operation instanceof NamespaceOperation.Rename) {
            return service.renameNanos();
        }
        return operation instanceof NamespaceOperation.Delete ? service.deleteNanos() : service.createNanos();
    }

    /** The final answer to a request. */
    private class Answer {
        final Consumer<OperationReply> reply;
        final Reply content;

        Answer(Consumer<OperationReply> reply, Reply content) {
            this.reply = reply;
            this.content = content;
        }

        void give(boolean hit) {
            reply.accept(new OperationReply(deployment, epoch, hit, content));
        }

        void refuse() {
            reply.accept(new OperationReply(
                    deployment,
                    epoch,
                    false,
                    new Reply.Failure(ErrorCode.OVERLOADED, "too many operations wait for the store")));
        }
    }

    /** Lets an operation wait for the store, or refuses it; counts it until its end. */
    private @Nullable Answer admit(Answer answer) {
        if (inFlight >= context.settings.instance().maxInFlight()) {
            answer.refuse();
            return null;
        }
        inFlight++;
        return new Answer(answer.reply, answer.content) {
            @Override
            void give(boolean hit) {
                inFlight--;
                super.give(hit);
            }
        };
    }

    private void entry(int directory, int file, long nanos, Answer asked) {
        if (cache.has(directory, file)) {
            work(nanos, () -> asked.give(true));
            return;
        }
        Answer answer = admit(asked);
        if (answer == null) {
            return;
        }
        int ticket = cache.ticket(directory);
        work(
                nanos,
                () -> context.store.read(
                        directory,
                        2,
                        () -> process.message(() -> {
                            cache.fill(directory, file, ticket);
                            work(context.settings.service().missNanos(), () -> answer.give(false));
                        })));
    }

    private void listing(int directory, long nanos, Answer asked) {
        if (cache.hasListing(directory)) {
            work(nanos, () -> asked.give(true));
            return;
        }
        Answer answer = admit(asked);
        if (answer == null) {
            return;
        }
        Runnable read = () -> work(nanos + context.settings.service().missNanos(), () -> answer.give(false));
        List<Runnable> waiting = listingReads.get(directory);
        if (waiting != null) {
            waiting.add(read);
            return;
        }
        List<Runnable> first = new ArrayList<>();
        first.add(read);
        listingReads.put(directory, first);
        int ticket = cache.ticket(directory);
        int rows = context.settings.namespace().filesPerDirectory();
        context.store.read(
                directory,
                rows,
                () -> process.message(() -> {
                    cache.fillListing(directory, ticket);
                    listingReads.remove(directory);
                    first.forEach(Runnable::run);
                }));
    }

    private void write(int directory, int file, long nanos, Answer asked) {
        Answer answer = admit(asked);
        if (answer == null) {
            return;
        }
        List<ModelNameNode> others = context.members.others(this, deployment);
        if (others.isEmpty()) {
            work(nanos, () -> commit(directory, file, answer));
        } else {
            work(
                    nanos,
                    () -> context.store.read(
                            directory,
                            2,
                            () -> process.message(() ->
                                    new Round(others, directory, file, () -> commit(directory, file, answer)).run())));
        }
    }

    private void commit(int directory, int file, Answer answer) {
        context.store.commit(
                directory,
                () -> process.message(() -> {
                    cache.written(directory, file);
                    work(context.settings.service().missNanos(), () -> answer.give(false));
                }));
    }

    /** INVs to other instances and their ACKs; a silent one is fenced. */
    private final class Round {
        private final List<ModelNameNode> others;
        private final int directory;
        private final int file;
        private final Runnable then;
        private int awaited;
        private boolean over;

        Round(List<ModelNameNode> others, int directory, int file, Runnable then) {
            this.others = others;
            this.directory = directory;
            this.file = file;
            this.then = then;
        }

        SimulatedProcess leader() {
            return process;
        }

        void run() {
            ScaleSettings.Service service = context.settings.service();
            awaited = others.size();
            Scheduler.Timer fence = process.schedule(FENCE_NANOS, this::end);
            for (ModelNameNode other : others) {
                work(
                        service.invSendNanos(),
                        () -> context.wires.send(process, other.process, () -> other.invalidated(this, fence)));
            }
            context.members.invalidations(others.size());
        }

        private void acknowledged(Scheduler.Timer fence) {
            awaited--;
            if (awaited == 0) {
                fence.cancel();
                end();
            }
        }

        private void end() {
            if (!over) {
                over = true;
                then.run();
            }
        }
    }

    private void invalidated(Round round, Scheduler.Timer fence) {
        work(context.settings.service().invTakeNanos(), () -> {
            cache.invalidate(round.directory, round.file);
            context.wires.send(process, round.leader(), () -> round.acknowledged(fence));
        });
    }
}
