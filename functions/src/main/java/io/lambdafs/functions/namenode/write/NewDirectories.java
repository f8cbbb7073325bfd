package io.lambdafs.functions.namenode.write;

import io.lambdafs.functions.cache.Child;
import io.lambdafs.functions.cache.Fill;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.inode.AclRules;
import io.lambdafs.model.inode.DirectoryStats;
import io.lambdafs.model.inode.INode;
import io.lambdafs.model.inode.Principal;
import io.lambdafs.store.Change;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Read;
import io.lambdafs.store.Rows;
import java.util.ArrayList;
import java.util.List;

/**
 * The directories that a mkdirs, or a create with parents, makes below the deepest existing one. Their ids are new, so
 * no one else can name their rows: only the first one's name needs a lock. Immutable.
 */
final class NewDirectories {
    /** HDFS adds these bits to implicitly created parents, so that their owner can fill them. */
    private static final int IMPLICIT_PARENT = 0300;

    private final List<INode> nodes = new ArrayList<>();
    private final FsPath path;
    private final int firstDepth;

    /**
     * @param base the deepest existing directory, at depth {@code firstDepth - 1}
     * @param lastDepth depth of the last directory to create
     * @param firstId the first of as many consecutive new ids
     */
    NewDirectories(INode base, FsPath path, int firstDepth, int lastDepth, long firstId, Maker maker) {
        this.path = path;
        this.firstDepth = firstDepth;
        INode parent = base;
        for (int depth = firstDepth; depth <= lastDepth; depth++) {
            int more = depth < path.depth() ? IMPLICIT_PARENT : 0;
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

    /**
     * Returns the locks for a new entry in {@code base}: the directory, so that it does not change; its listing; the
     * new name.
     */
    static List<Read> locks(INode base, String firstName) {
        return List.of(
                Read.shared(Rows.inodeKey(base.parentId(), base.name())),
                Read.shared(Rows.listingKey(base.id())),
                Read.exclusive(Rows.inodeKey(base.id(), firstName)));
    }

    /**
     * The owner and modes of the new directories.
     *
     * @param mode with the umask applied
     * @param unmasked without the umask
     * @param allImplicit whether the last one is an implicitly created parent too
     */
    record Maker(Principal caller, int mode, int unmasked, boolean allImplicit, long now) {}

    INode last() {
        return nodes.get(nodes.size() - 1);
    }

    /**
     * Returns the mutations that create them and their counts.
     *
     * @param childrenOfLast number of children created in the last one in the same transaction
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

    /** Returns the first of them, as a child of the existing directory. */
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
