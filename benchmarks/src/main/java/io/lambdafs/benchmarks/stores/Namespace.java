package io.lambdafs.benchmarks.stores;

import io.lambdafs.model.inode.DirectoryStats;
import io.lambdafs.model.inode.INode;
import io.lambdafs.store.Row;
import io.lambdafs.store.Rows;
import io.lambdafs.store.Schema;
import java.util.ArrayList;
import java.util.List;

/** The INodes of the initial namespace: directories below the root, each with {@link Kind#LISTED} files. Stateless. */
final class Namespace {
    private static final long FIRST_DIRECTORY = 1_000;
    private static final long FIRST_FILE = 1L << 32;
    private static final byte[] ANSWER = new byte[64];
    private static final INode.Traits TRAITS =
            new INode.Traits(INode.Kind.FILE, "user", "users", 0644, 1, 128 << 20, INode.Content.NONE);

    private Namespace() {}

    static INode directory(int number) {
        return INode.directory(
                INode.ROOT_ID, "directory-" + number, FIRST_DIRECTORY + number, "root", "users", 0755, 1);
    }

    static INode file(int directory, String name, long number) {
        return new INode(FIRST_DIRECTORY + directory, name, FIRST_FILE + number, TRAITS, 0, number, number, 0);
    }

    /** Returns a file of the initial namespace. */
    static INode listed(int directory, int number) {
        return file(directory, "file-" + number, (long) directory * Kind.LISTED + number);
    }

    static Row slot(int client, long sequence) {
        return new Row(Schema.SLOTS.key("client", (long) client), sequence, ANSWER, Long.MAX_VALUE);
    }

    /** Returns all rows of a directory and its initial files. */
    static List<Row> rows(int directory) {
        List<Row> rows = new ArrayList<>();
        INode made = directory(directory);
        rows.add(Rows.of(made));
        rows.add(Rows.location(made));
        rows.add(Rows.stats(made.id(), new DirectoryStats(Kind.LISTED, 1)));
        for (int i = 0; i < Kind.LISTED; i++) {
            rows.add(Rows.of(listed(directory, i)));
        }
        return rows;
    }
}
