package io.lambdafs.functions.listing;

import io.lambdafs.functions.cache.Listing;
import io.lambdafs.model.inode.Attributes;
import io.lambdafs.model.inode.INode;
import io.lambdafs.model.operation.ReadOperation;
import io.lambdafs.model.operation.Reply;
import io.lambdafs.store.Read;
import io.lambdafs.store.Row;
import io.lambdafs.store.Rows;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** The children on a page of a directory, in order, and whether more follow. */
public record PageSlice(List<INode> nodes, boolean more) {
    public static PageSlice of(Listing listing, ReadOperation.ListPage operation) {
        int from = operation.startAfter().isEmpty() ? 0 : listing.indexAfter(operation.startAfter());
        int to = Math.min(listing.size(), from + operation.limit());
        return of(listing::get, from, to, to < listing.size());
    }

    /** Converts the rows of a page, which may include the first row of the next. */
    public static PageSlice of(List<Row> rows, ReadOperation.ListPage operation) {
        int most = Math.min(rows.size(), operation.limit());
        return of(i -> Rows.inode(rows.get(i)), 0, most, rows.size() > operation.limit());
    }

    private static PageSlice of(IntFunction<INode> children, int from, int to, boolean more) {
        List<INode> nodes = new ArrayList<>(to - from);
        int left = PageBytes.MAX;
        for (int i = from; i < to; i++) {
            INode node = children.apply(i);
            left -= PageBytes.of(node);
            if (left < 0) {
                return new PageSlice(nodes, true);
            }
            nodes.add(node);
        }
        return new PageSlice(nodes, more);
    }

    /** Returns the reads of the directories' times and child counts, to be read at one moment. */
    public List<Read> stats() {
        return nodes.stream()
                .filter(INode::isDirectory)
                .map(node -> Read.unlocked(Rows.statsKey(node.id())))
                .toList();
    }

    /** Returns the page with what {@link #stats} has read. */
    public Reply page(List<@Nullable Row> stats) {
        List<Attributes> entries = new ArrayList<>(nodes.size());
        int next = 0;
        for (INode node : nodes) {
            Row row = node.isDirectory() ? stats.get(next++) : null;
            entries.add(Attributes.of(node, Rows.stats(row)));
        }
        return new Reply.Page(entries, more);
    }
}
