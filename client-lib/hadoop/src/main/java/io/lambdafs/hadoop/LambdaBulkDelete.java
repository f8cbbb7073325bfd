package io.lambdafs.hadoop;

import io.lambdafs.client.LambdaFs;
import io.lambdafs.hadoop.convert.Failures;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.operation.Reply;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.fs.BulkDelete;
import org.apache.hadoop.fs.BulkDeleteUtils;
import org.apache.hadoop.fs.Path;

/** Deletes files and empty directories in pages, with one request per owning deployment. Not thread-safe. */
final class LambdaBulkDelete implements BulkDelete {
    private static final int PAGE = 1_000;

    private final LambdaFileSystem fs;
    private final Path base;

    private LambdaBulkDelete(LambdaFileSystem fs, Path base) {
        this.fs = fs;
        this.base = base;
    }

    /** Creates a bulk delete; callers need not link a class that exists only since Hadoop 3.4.1. */
    static BulkDelete of(LambdaFileSystem fs, Path base) {
        return new LambdaBulkDelete(fs, base);
    }

    @Override
    public int pageSize() {
        return PAGE;
    }

    @Override
    public Path basePath() {
        return base;
    }

    @Override
    public List<Map.Entry<Path, String>> bulkDelete(Collection<Path> paths) throws IOException {
        BulkDeleteUtils.validateBulkDeletePaths(paths, PAGE, base);
        Map<FsPath, Path> asked = new LinkedHashMap<>();
        for (Path path : paths) {
            asked.put(fs.fsPath(path), path);
        }
        LambdaFs client = fs.client();
        List<Map.Entry<Path, String>> failed = new ArrayList<>();
        for (List<FsPath> wave : waves(asked.keySet()).values()) {
            List<Reply> outcomes = Failures.await(client.deleteEach(wave), base.toString());
            for (int i = 0; i < wave.size(); i++) {
                if (outcomes.get(i) instanceof Reply.Failure failure) {
                    FsPath path = wave.get(i);
                    String why =
                            Failures.of(failure.toException(), path.toString()).toString();
                    failed.add(Map.entry(asked.get(path), why));
                }
            }
        }
        return failed;
    }

    /** Groups paths into waves: children before their directory, unrelated paths together. */
    private static Map<Integer, List<FsPath>> waves(Collection<FsPath> paths) {
        List<FsPath> deepestFirst = new ArrayList<>(paths);
        deepestFirst.sort(Comparator.comparingInt(FsPath::depth).reversed());
        Map<FsPath, Integer> numbers = new HashMap<>();
        paths.forEach(path -> numbers.put(path, 0));
        Map<Integer, List<FsPath>> waves = new TreeMap<>();
        for (FsPath path : deepestFirst) {
            int number = numbers.getOrDefault(path, 0);
            waves.computeIfAbsent(number, none -> new ArrayList<>()).add(path);
            for (FsPath above = path; !above.isRoot(); ) {
                above = above.parent();
                numbers.computeIfPresent(above, (directory, least) -> Math.max(least, number + 1));
            }
        }
        return waves;
    }

    @Override
    public void close() {}
}
