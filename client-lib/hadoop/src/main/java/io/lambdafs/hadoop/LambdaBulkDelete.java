package io.lambdafs.hadoop;

import io.lambdafs.client.LambdaFs;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.fs.BulkDelete;
import org.apache.hadoop.fs.BulkDeleteUtils;
import org.apache.hadoop.fs.Path;

/** Deletes files and empty directories by the page, many at once. Not thread-safe. */
final class LambdaBulkDelete implements BulkDelete {
    private static final int PAGE = 1_000;
    private static final int AT_ONCE = 64;

    private final LambdaFileSystem fs;
    private final Path base;

    LambdaBulkDelete(LambdaFileSystem fs, Path base) {
        this.fs = fs;
        this.base = base;
    }

    @Override
    public int pageSize() {
        return PAGE;
    }

    @Override
    public Path basePath() {
        return base;
    }

    private record Removal(Path path, CompletableFuture<Boolean> removed) {}

    @Override
    public List<Map.Entry<Path, String>> bulkDelete(Collection<Path> paths) throws IOException {
        BulkDeleteUtils.validateBulkDeletePaths(paths, PAGE, base);
        LambdaFs client = fs.client();
        Deque<Removal> underWay = new ArrayDeque<>();
        List<Map.Entry<Path, String>> failed = new ArrayList<>();
        List<Path> deepestFirst = new ArrayList<>(paths);
        deepestFirst.sort(Comparator.comparingInt(Path::depth).reversed());
        int depth = 0;
        for (Path path : deepestFirst) {
            // What is below goes before its directory.
            endAll(underWay, path.depth() < depth ? 0 : AT_ONCE - 1, failed);
            depth = path.depth();
            FsPath target = fs.fsPath(path);
            underWay.add(new Removal(path, client.delete(target, false).toCompletableFuture()));
        }
        endAll(underWay, 0, failed);
        return failed;
    }

    private static void endAll(Deque<Removal> underWay, int but, List<Map.Entry<Path, String>> failed)
            throws IOException {
        while (underWay.size() > but) {
            end(underWay.remove(), failed);
        }
    }

    private static void end(Removal removal, List<Map.Entry<Path, String>> failed) throws IOException {
        String path = removal.path().toString();
        try {
            Failures.await(removal.removed(), path);
        } catch (IOException e) {
            if (!(e.getCause() instanceof FsException)) {
                throw e;
            }
            failed.add(Map.entry(removal.path(), e.toString()));
        }
    }

    @Override
    public void close() {}
}
