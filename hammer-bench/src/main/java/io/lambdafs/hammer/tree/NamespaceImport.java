package io.lambdafs.hammer.tree;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.inode.Attributes;
import io.lambdafs.model.operation.NamespaceOperation;
import io.lambdafs.model.operation.Operation;
import io.lambdafs.model.operation.ReadOperation;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes a real directory tree the namespace of a file system: names, permission bits and lengths of files and
 * directories, modification times of files (a directory's is the time of its last change, here as in HDFS), and the
 * content of small files. Symbolic links, special files, unreadable entries and names that HDFS refuses are left out
 * and counted.
 */
public final class NamespaceImport {
    private static final Logger LOG = LoggerFactory.getLogger(NamespaceImport.class);

    /** Maximum wait for one reply, seconds: above the deadline of a client that retries. */
    static final long REPLY_SECONDS = 120;

    private NamespaceImport() {}

    /**
     * Imports a tree. Blocks; creates parents before their children, with a window of operations in flight.
     *
     * @param progress called on this thread about four times a second and at the end
     * @throws FsException if the tree cannot be read, the target is not empty, or an operation fails; entries already
     * created stay
     */
    public static ImportResult run(ImportSettings settings, Target target, Consumer<ImportProgress> progress) {
        return run(settings, target, progress, LocalTree::listFiles);
    }

    static ImportResult run(
            ImportSettings settings, Target target, Consumer<ImportProgress> progress, LocalTree.Lister lister) {
        long start = System.nanoTime();
        LocalTree tree = new LocalTree(settings, lister);
        tree.walk();
        prepare(settings.target(), target);
        ImportPipeline pipeline = new ImportPipeline(settings, target, tree, progress);
        List<ImportedTree.Entry> entries = pipeline.run();
        double seconds = (System.nanoTime() - start) / 1e9;
        ImportResult result = summarise(settings, tree, entries, seconds);
        LOG.info(
                "imported {} files and {} directories of {} under {} in {} s",
                result.files(),
                result.directories(),
                settings.tree(),
                settings.target(),
                seconds);
        return result;
    }

    private static void prepare(FsPath path, Target target) {
        await(target, new NamespaceOperation.Mkdirs(path, 0755, true), "make the target " + path);
        List<Attributes> there = await(target, new ReadOperation.ListPage(path, "", 1), "list the target " + path)
                .entries();
        if (!there.isEmpty()) {
            throw new FsException(
                    ErrorCode.ALREADY_EXISTS,
                    "cannot import into " + path + ": it is not empty (it has \""
                            + there.get(0).name() + "\"); name another target, or remove it with fs -rm -r " + path);
        }
    }

    static <R extends io.lambdafs.model.operation.Reply> R await(Target target, Operation<R> operation, String what) {
        try {
            return target.execute(operation).toCompletableFuture().get(REPLY_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException | CompletionException e) {
            FsException cause = FsException.of(e);
            throw new FsException(cause.code(), "import could not " + what + ": " + cause.getMessage(), cause);
        } catch (TimeoutException e) {
            throw new FsException(
                    ErrorCode.TIMED_OUT, "import could not " + what + ": no reply in " + REPLY_SECONDS + " s", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new FsException(ErrorCode.INTERRUPTED, "import was interrupted: could not " + what, e);
        }
    }

    private static ImportResult summarise(
            ImportSettings settings, LocalTree tree, List<ImportedTree.Entry> entries, double seconds) {
        long directories = 0;
        long withoutContent = 0;
        long contentBytes = 0;
        for (ImportedTree.Entry entry : entries) {
            if (entry.isDirectory()) {
                directories++;
            } else if (entry.content()) {
                contentBytes += entry.size();
            } else {
                withoutContent++;
            }
        }
        return new ImportResult(
                new ImportedTree(settings.target(), entries),
                directories,
                entries.size() - directories,
                withoutContent,
                contentBytes,
                tree.skipped(),
                tree.limited(),
                seconds);
    }
}
