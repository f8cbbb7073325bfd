package io.lambdafs.testing.simulation.quotas;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.block.Block;
import io.lambdafs.model.inode.DirectoryTotals;
import io.lambdafs.model.inode.Quota;
import io.lambdafs.model.operation.AttributeOperation;
import io.lambdafs.model.operation.BlockOperation;
import io.lambdafs.model.operation.FileOperation;
import io.lambdafs.model.operation.NamespaceOperation;
import io.lambdafs.model.operation.OpenFile;
import io.lambdafs.model.operation.Operation;
import io.lambdafs.model.operation.Operation.RenameMode;
import io.lambdafs.simulation.Agenda;
import io.lambdafs.testing.simulation.TreeAsker;
import io.lambdafs.testing.simulation.cluster.SimulatedClient;

/**
 * A simulated superuser who fills, empties and moves directories with quotas, and sets those. No bytes are moved. Not
 * thread-safe.
 */
final class Spender extends TreeAsker {
    static final long BLOCK_SIZE = 100;
    private static final byte[] NOTHING = {};

    /** The context shared by a run's spenders. */
    interface Run extends TreeAsker.Run {
        void admitted();

        /** Called when a quota refused a new name, or what it adds. */
        void refused(FsPath path, DirectoryTotals more, FsException why, long began);
    }

    private final Run run;
    private FsPath path = FsPath.ROOT;
    private OpenFile file = new OpenFile(0, 0);

    Spender(Agenda agenda, Run run, SimulatedClient client) {
        super(agenda, run, client);
        this.run = run;
    }

    @Override
    protected void act() {
        int choice = agenda.random().nextInt(24);
        if (choice < 9) {
            path = run.fresh(agenda.chance(0.7) ? run.top() : run.known());
            make(choice);
        } else if (choice < 15) {
            simple(new NamespaceOperation.Delete(run.known(), true));
        } else if (choice < 20) {
            FsPath moved = run.fresh(run.top());
            run.made(moved);
            simple(new NamespaceOperation.Rename(run.known(), moved, RenameMode.OVERWRITE));
        } else if (choice < 21) {
            simple(new AttributeOperation.SetReplication(
                    run.known(), 1 + agenda.random().nextInt(3)));
        } else {
            simple(new AttributeOperation.SetQuota(run.top(), limit(12), limit(12 * BLOCK_SIZE)));
        }
    }

    private long limit(long most) {
        return switch (agenda.random().nextInt(6)) {
            case 0 -> Quota.KEEP;
            case 1 -> Quota.NONE;
            default -> 1 + agenda.within(most);
        };
    }

    private void make(int choice) {
        if (choice < 4) {
            ask(new NamespaceOperation.Mkdirs(path, 0755, false), (reply, began) -> made());
        } else if (choice < 7) {
            byte[] content = new byte[agenda.random().nextInt(60)];
            ask(
                    new FileOperation.Create(
                            path, 0644, false, false, 1 + agenda.random().nextInt(3), BLOCK_SIZE, content, null),
                    (reply, began) -> made());
        } else {
            ask(new FileOperation.Create(path, 0644, false, false, 2, BLOCK_SIZE, NOTHING, null), (reply, began) -> {
                file = reply.file();
                later(agenda.within(SECOND / 20), this::write);
            });
        }
    }

    private void made() {
        run.made(path);
        run.admitted();
        next();
    }

    /** Writes a block, or leaves the file with one that is only allocated. */
    private void write() {
        run.made(path);
        run.admitted();
        ask(new BlockOperation.AddBlock(path, file, 0, 0, null), (reply, began) -> {
            Block block = reply.block().block();
            Block written = new Block(block.id(), block.generation(), 1 + agenda.within(block.length()), 1);
            switch (agenda.random().nextInt(4)) {
                case 0 -> next();
                case 1 -> simple(new BlockOperation.Abandon(path, file, 1));
                default ->
                    ask(
                            new BlockOperation.CompleteBlocks(path, file, 1, 1, written),
                            (closed, sent) ->
                                    simple(new BlockOperation.Truncate(path, agenda.within(written.length()))));
            }
        });
    }

    @Override
    protected void refused(Operation<?> operation, FsException why, long began) {
        boolean isNew = operation instanceof NamespaceOperation.Mkdirs || operation instanceof FileOperation.Create;
        if (isNew && (why.code() == ErrorCode.NAMES_QUOTA_EXCEEDED || why.code() == ErrorCode.SPACE_QUOTA_EXCEEDED)) {
            run.refused(path, added(operation), why, began);
        }
    }

    /** Returns what an operation that makes something adds. */
    private static DirectoryTotals added(Operation<?> operation) {
        if (!(operation instanceof FileOperation.Create create)) {
            return DirectoryTotals.DIRECTORY;
        }
        byte[] content = create.content();
        return DirectoryTotals.ofFile(content == null ? 0 : content.length, create.replication());
    }
}
