package io.lambdafs.functions.namenode;

import io.lambdafs.functions.cache.Child;
import io.lambdafs.functions.cache.Fill;
import io.lambdafs.model.AclRules;
import io.lambdafs.model.DirectoryStats;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.INode;
import io.lambdafs.model.Principal;
import io.lambdafs.store.Change;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Read;
import io.lambdafs.store.Rows;
import java.util.ArrayList;
import java.util.List;

/**
 * The directories that a mkdirs, or a create with its parents, makes below the deepest one that exists. Their ids are new, so nobody
 * else can name their rows: only the first one's name needs a lock. Immutable.
 */
final class NewDirectories {
    /** HDFS adds these bits to the mode of parents made on the way, so that their maker can fill them. */
    private static final int IMPLICIT_PARENT = 0300;

    private final List<INode> nodes = new ArrayList<>();
    private final FsPath path;
    private final int firstDepth;

    /**
     * @param base the deepest directory that exists, at depth {@code firstDepth - 1}
     * @param lastDepth depth of the last directory to make
     * @param firstId the first of as many fresh ids
     */
    NewDirectories(INode base, FsPath path, int firstDepth, int lastDepth, long firstId, Maker maker) {
        this.path = path;
        this.firstDepth = firstDepth;
        INode parent = base;
        for (int depth = firstDepth; depth <= lastDepth; depth++) {
            boolean implicit = depth < path.depth() || maker.allImplicit();
            int more = implicit ? IMPLICIT_PARENT : 0;
            INode made = INode.directory(
                    parent.id(),
                    path.name(depth - 1),
                    firstId + depth - firstDepth,
                    maker.caller().user(),
                    base.group(),
                    maker.mode() | more,
                    maker.now());
            made = AclRules.inherit(parent, made, maker.unmasked() | (maker.allImplicit() ? more : 0));
            nodes.add(made);
            parent = made;
        }
    }

    /** The locks for a new entry in {@code base}: the directory, so that it stays as it is; its listing; the new name. */
    static List<Read> locks(INode base, String firstName) {
        return List.of(
                Read.shared(Rows.inodeKey(base.parentId(), base.name())),
                Read.shared(Rows.listingKey(base.id())),
                Read.exclusive(Rows.inodeKey(base.id(), firstName)));
    }

    /**
     * For whom, and how.
     *
     * @param mode with the umask applied
     * @param unmasked without
     * @param allImplicit whether the last one is a parent made on the way too
     */
    record Maker(Principal caller, int mode, int unmasked, boolean allImplicit, long now) {}

    INode last() {
        return nodes.get(nodes.size() - 1);
    }

    /**
     * Their rows and counts.
     *
     * @param childrenOfLast how many children the last one gets in the same transaction
     */
    List<Mutation> mutations(long now, int childrenOfLast) {
        List<Mutation> mutations = new ArrayList<>();
        for (int i = 0; i < nodes.size(); i++) {
            int children = i == nodes.size() - 1 ? childrenOfLast : 1;
            mutations.add(new Mutation.Put(Rows.of(nodes.get(i))));
            mutations.add(new Mutation.Put(Rows.location(nodes.get(i))));
            mutations.add(new Mutation.Put(Rows.stats(nodes.get(i).id(), new DirectoryStats(children, now))));
        }
        return mutations;
    }

    /** The first of them, in the directory that was there before. */
    Child top() {
        return new Child(path.ancestor(firstDepth), nodes.get(0));
    }

    List<Change.Event> events() {
        List<Change.Event> events = new ArrayList<>();
        for (int i = 0; i < nodes.size(); i++) {
            events.add(Change.Event.of(Change.Kind.MKDIR, nodes.get(i), path.ancestor(firstDepth + i)));
        }
        return events;
    }

    List<Fill> fills() {
        List<Fill> fills = new ArrayList<>();
        for (int i = 0; i < nodes.size(); i++) {
            fills.add(new Fill.Link(path.ancestor(firstDepth + i), nodes.get(i)));
        }
        return fills;
    }
}
