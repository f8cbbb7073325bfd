package io.lambdafs.testing.simulation;

import io.lambdafs.model.FsPath;
import io.lambdafs.model.block.Block;
import io.lambdafs.model.block.LocatedBlock;
import io.lambdafs.model.inode.INode;
import io.lambdafs.model.inode.Principal;
import io.lambdafs.model.operation.BlockOperation;
import io.lambdafs.model.operation.FileOperation;
import io.lambdafs.model.operation.NamespaceOperation;
import io.lambdafs.model.operation.OpenFile;
import io.lambdafs.model.operation.Operation;
import io.lambdafs.model.operation.ReadOperation;
import io.lambdafs.model.operation.Reply;
import io.lambdafs.simulation.Agenda;
import io.lambdafs.testing.simulation.cluster.SimulatedClient;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A simulated writer of files in blocks: writes files in sequence, reads, truncates, concats, moves and deletes some in
 * between, and sometimes misbehaves by stopping midway, sleeping beyond its lease, or interfering with what another
 * user has open ({@link Interference}). No bytes are moved: it only reports what it would have written. Not
 * thread-safe.
 */
final class Author extends Asker {
    static final long BLOCK_SIZE = 100;
    static final int DIRECTORIES = 3;
    private static final int FILES = 8;
    /** Files from this one on are truncated. */
    private static final int FIRST_CUT = 6;

    private static final byte[] NOTHING = {};

    /** The context shared by a run's authors. */
    interface Run extends Asker.Run {
        /** Returns whether authors should start new work. */
        boolean goesOn();

        /** Returns the history of a file. */
        @Nullable
        FileHistory history(long fileId);

        /** Called when a file was created. */
        void made(FsPath path, long fileId, byte[] head);

        /** Returns any author's work. */
        Work any();

        /** Returns the truncations at a path, to be extended. */
        List<FileHistory.Cut> cuts(FsPath path);
    }

    /** The file that a user has open, or had open last. */
    record Work(
            Principal user,
            FsPath path,
            OpenFile file,
            long generation,
            int blocks,
            @Nullable Block last) {}

    private final Run run;

    private FsPath path = FsPath.ROOT;
    private OpenFile file = new OpenFile(0, 0);
    private long generation;
    private int blocks;
    private long headBytes;
    private @Nullable Block last;

    Author(Agenda agenda, Run run, Principal user, SimulatedClient client) {
        super(agenda, run, user, client);
        this.run = run;
    }

    Work work() {
        return new Work(user, path, file, generation, blocks, last);
    }

    @Override
    protected void session() {
        if (!run.goesOn()) {
            return;
        }
        int number = agenda.random().nextInt(FILES);
        path = path(number);
        switch (agenda.random().nextInt(17)) {
            case 0, 1 -> create();
            case 2, 3, 4 -> read();
            case 5 -> lease(true);
            case 6 -> ask(new NamespaceOperation.Delete(path, false), (reply, began) -> start());
            case 7, 8, 9 -> change(number);
            case 10, 11, 12 -> interfere();
            default -> lease(false);
        }
    }

    private void interfere() {
        Work other = run.any();
        if (other.user().equals(user)) {
            start();
            return;
        }
        Interference attempt = Interference.any(other, agenda.random());
        ask(attempt.operation(), (reply, began) -> {
            if (attempt.succeeded(reply)) {
                run.violated(user.user() + " wrote what " + other.user().user() + " has open: " + attempt.operation());
            }
            start();
        });
    }

    private static FsPath path(int number) {
        return directory(number % DIRECTORIES).child(String.valueOf(number));
    }

    static FsPath directory(int number) {
        return FsPath.of("/w" + number);
    }

    /**
     * Changes two files of a directory, one of which gets the blocks or the name of the other, or truncates one. The
     * choice is fixed, because an answer may be lost, and then only the possibilities are known.
     */
    private void change(int number) {
        if (number >= FIRST_CUT) {
            FileHistory.Cut cut = new FileHistory.Cut();
            run.cuts(path).add(cut);
            ask(new BlockOperation.Truncate(path, agenda.within(3 * BLOCK_SIZE)), (reply, began) -> {
                cut.answered(agenda.now());
                start();
            });
            return;
        }
        FsPath other = path((number + 3) % FIRST_CUT);
        Operation<Reply.Done> change = number % 3 == 2
                ? new NamespaceOperation.Rename(path, other, Operation.RenameMode.OVERWRITE)
                : new BlockOperation.Concat(path, List.of(other));
        ask(change, (reply, began) -> start());
    }

    private void create() {
        byte[] head = agenda.chance(0.4) ? new byte[] {1, 2, 3} : NOTHING;
        ask(new FileOperation.Create(path, 0666, true, true, 1, BLOCK_SIZE, head, null), (reply, began) -> {
            file = reply.file();
            run.made(path, file.id(), head);
            generation = 0;
            blocks = 0;
            headBytes = 0;
            last = null;
            if (head.length > 0) {
                start();
            } else {
                later(agenda.within(SECOND), this::add);
            }
        });
    }

    private void lease(boolean force) {
        ask(new BlockOperation.TakeLease(path, force), (reply, began) -> {
            file = reply.file();
            FileHistory history = run.history(file.id());
            boolean closed = force && reply.attributes().content() == INode.Content.BLOCKS;
            if (history != null && closed) {
                history.closedEmpty(began, agenda.now());
            } else if (history != null) {
                tell(history.leased(reply, force, began, agenda.now()));
            }
            if (closed) {
                start();
                return;
            }
            generation = reply.generation();
            blocks = reply.blocks();
            byte[] head = reply.head();
            headBytes = head == null ? 0 : head.length;
            last = null;
            later(agenda.within(SECOND), this::add);
        });
    }

    private void tell(@Nullable String wrong) {
        tell(file.id(), wrong);
    }

    private void tell(long fileId, @Nullable String wrong) {
        if (wrong != null) {
            run.violated(path + ", file " + fileId + ": " + wrong);
        }
    }

    /** Runs a step on a known file only; for others the answer to their creation was lost. */
    private void known(Consumer<FileHistory> step) {
        FileHistory history = run.history(file.id());
        if (history == null) {
            start();
        } else {
            step.accept(history);
        }
    }

    private void add() {
        known(history -> {
            Block told = last;
            int index = blocks;
            history.tells(told, agenda.now());
            ask(new BlockOperation.AddBlock(path, file, generation, index, told), (reply, began) -> {
                LocatedBlock block = reply.block();
                if (generation == 0) {
                    generation = block.block().generation();
                }
                tell(history.added(block, told, FileHistory.use(generation, began, agenda.now())));
                long least = Math.max(1, index == 0 ? headBytes : 1);
                long length = least + agenda.within(block.block().length() - least + 1);
                last = new Block(block.block().id(), generation, length, (int) length);
                blocks = index + 1;
                next();
            });
        });
    }

    private void next() {
        switch (agenda.random().nextInt(20)) {
            case 0 -> start(); // It has died.
            case 11 -> later(agenda.within(SECOND), this::abandon);
            case 1 -> later(61 * SECOND + agenda.within(20 * SECOND), agenda.chance(0.5) ? this::add : this::complete);
            case 2 -> {
                // Its data is lost: another attempt at the same block.
                last = null;
                blocks--;
                retry();
            }
            case 3, 4, 5, 6, 7, 8, 9, 10 -> later(agenda.within(SECOND), this::add);
            default -> later(agenda.within(SECOND), this::complete);
        }
    }

    private void retry() {
        later(agenda.within(SECOND), this::add);
    }

    private void complete() {
        known(history -> {
            Block told = last;
            history.tells(told, agenda.now());
            history.mayEnd(generation, agenda.now());
            ask(new BlockOperation.CompleteBlocks(path, file, generation, blocks, told), (reply, began) -> {
                tell(history.ended(told, FileHistory.use(generation, began, agenda.now())));
                start();
            });
        });
    }

    /** Abandons the file, which may remove it only if this author created it. */
    private void abandon() {
        known(history -> {
            boolean own = generation <= 1;
            if (own) {
                history.mayEnd(generation, agenda.now());
            }
            ask(new BlockOperation.Abandon(path, file, generation), (reply, began) -> {
                if (own) {
                    history.abandoned(agenda.now());
                } else {
                    run.violated("a file that was there before its writer took the lease was abandoned: " + path);
                }
                start();
            });
        });
    }

    private void read() {
        ask(new ReadOperation.Open(path), (reply, began) -> {
            long fileId = reply.attributes().id();
            FileHistory history = run.history(fileId);
            if (history != null) {
                tell(fileId, history.shown(reply, began, agenda.now()));
            }
            start();
        });
    }
}
