package io.lambdafs.door.s3.files;

import io.lambdafs.client.BlockingLambdaFs;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.Utf8Order;
import io.lambdafs.model.inode.Attributes;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * A page of a bucket's keys. Immutable.
 *
 * @param keys of the objects, in the order of their UTF-8 bytes
 * @param objects the objects, in the order of their keys
 * @param prefixes that keys have in common up to the delimiter
 * @param last the last key or prefix of the page
 * @param more whether others follow
 */
public record Listing(List<String> keys, List<Found> objects, List<String> prefixes, String last, boolean more) {
    public Listing {
        keys = List.copyOf(keys);
        objects = List.copyOf(objects);
        prefixes = List.copyOf(prefixes);
    }

    /**
     * The wish of a call.
     *
     * @param delimiter empty for none
     * @param after only what comes after this key or prefix; empty for all
     * @param most maximum number of keys and prefixes together
     */
    public record Wish(String prefix, String delimiter, String after, int most) {}

    public static Listing of(BlockingLambdaFs fs, FsPath bucket, Wish wish) throws InterruptedException {
        List<String> keys = new ArrayList<>();
        List<FsPath> paths = new ArrayList<>();
        List<Attributes> files = new ArrayList<>();
        SortedSet<String> prefixes = new TreeSet<>(Utf8Order::compare);
        String last = "";
        boolean more = false;
        if (wish.most() > 0) {
            Walk walk = new Walk(
                    fs, bucket, wish.prefix(), wish.after(), !wish.delimiter().equals("/"));
            for (Walk.Entry each = walk.next(); each != null; each = walk.next()) {
                String prefix = common(each, wish);
                if (!prefix.isEmpty() && (prefixes.contains(prefix) || prefix.equals(wish.after()))) {
                    continue;
                }
                if (keys.size() + prefixes.size() == wish.most()) {
                    more = true;
                    break;
                }
                if (prefix.isEmpty()) {
                    keys.add(each.key());
                    paths.add(each.path());
                    files.add(each.file());
                    last = each.key();
                } else {
                    prefixes.add(prefix);
                    last = prefix;
                }
            }
        }
        return new Listing(keys, Looking.all(fs, paths, files), List.copyOf(prefixes), last, more);
    }

    /** Returns the prefix that stands for a key; empty if there is none. */
    private static String common(Walk.Entry entry, Wish wish) {
        if (wish.delimiter().isEmpty()) {
            return "";
        }
        int at = entry.key().indexOf(wish.delimiter(), wish.prefix().length());
        return at < 0 ? "" : entry.key().substring(0, at + wish.delimiter().length());
    }

    /** Returns whether a bucket holds an object. */
    public static boolean isEmpty(BlockingLambdaFs fs, FsPath bucket) throws InterruptedException {
        return new Walk(fs, bucket, "", "", true).next() == null;
    }
}
