package io.lambdafs.testing.history;

import io.lambdafs.model.inode.Acl;
import io.lambdafs.model.inode.INode;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A file or directory of the model with everything below it. Immutable and persistent: a change creates new nodes along
 * the path and shares the rest. Equal if indistinguishable; compared by a 64-bit fingerprint because states are
 * compared constantly.
 */
final class Node {
    private static final String[] NO_NAMES = {};
    private static final Node[] NO_NODES = {};

    private final Own own;
    private final String[] names;
    private final Node[] nodes;
    private final long fingerprint;

    private Node(Own own, String[] names, Node[] nodes) {
        this.own = own;
        this.names = names;
        this.nodes = nodes;
        long sum = mix(own.content() == null ? 1 : own.content().hashCode(), own.content() == null ? 2 : 3);
        sum = mix(sum, (long) own.mode() << 32 | own.replication());
        sum = mix(mix(sum, own.owner().hashCode()), own.group().hashCode());
        sum = mix(mix(sum, 2 * own.mtime() + (own.atLeast() ? 1 : 0)), own.writer());
        sum = own.access().acl() == null ? sum : mix(sum, own.access().acl().hashCode());
        for (int i = 0; i < names.length; i++) {
            sum = mix(mix(sum, names[i].hashCode()), nodes[i].fingerprint);
        }
        this.fingerprint = sum;
    }

    private static long mix(long sum, long part) {
        long mixed = (sum ^ part * 0x9E3779B97F4A7C15L) * 0xBF58476D1CE4E5B9L;
        mixed = (mixed ^ mixed >>> 27) * 0x94D049BB133111EBL;
        return mixed ^ mixed >>> 31;
    }

    /**
     * A node's own attributes.
     *
     * @param content null for a directory
     * @param mtime milliseconds
     * @param atLeast whether the time is only a lower bound, by some instance's clock; otherwise it was set explicitly
     * @param writer number of the create, for an empty file that may still get its content; else 0
     */
    private record Own(
            @Nullable String content, Access access, int replication, long mtime, boolean atLeast, long writer) {
        Own at(long other, boolean orLater) {
            return new Own(content, access, replication, other, orLater, writer);
        }

        String owner() {
            return access.owner();
        }

        String group() {
            return access.group();
        }

        int mode() {
            return access.mode();
        }
    }

    /** Owner, group, mode and ACL (null for none). */
    record Access(
            String owner, String group, int mode, @Nullable Acl acl) {
        Access(String owner, String group, int mode) {
            this(owner, group, mode, null);
        }

        Access withMode(int other) {
            return new Access(owner, group, other, acl);
        }

        Access withOwner(String otherOwner, String otherGroup) {
            return new Access(otherOwner, otherGroup, mode, acl);
        }

        /** Returns an INode with these. */
        INode node(boolean directory) {
            INode.Kind kind = directory ? INode.Kind.DIRECTORY : INode.Kind.FILE;
            INode.Traits traits = new INode.Traits(kind, owner, group, mode, 1, 1, INode.Content.NONE);
            return new INode(1, "n", 2, traits, 0, 0, 0, 0).withAcl(acl, mode);
        }

        static Access of(INode node) {
            return new Access(
                    node.owner(), node.group(), node.mode(), node.traits().acl());
        }
    }

    /** @param notBefore lower bound of its creation time, in milliseconds */
    static Node directory(Access access, long notBefore) {
        return new Node(new Own(null, access, 0, notBefore, true, 0), NO_NAMES, NO_NODES);
    }

    /**
     * A file.
     *
     * @param writer number of the create that may still give the file its content; 0 for none
     * @param notBefore lower bound of its write time, in milliseconds
     */
    static Node file(String content, Access access, int replication, long writer, long notBefore) {
        return new Node(new Own(content, access, replication, notBefore, true, writer), NO_NAMES, NO_NODES);
    }

    boolean isDirectory() {
        return own.content() == null;
    }

    /** Returns the content; empty for a directory. */
    String content() {
        return own.content() == null ? "" : own.content();
    }

    String owner() {
        return own.owner();
    }

    String group() {
        return own.group();
    }

    int mode() {
        return own.mode();
    }

    Access access() {
        return own.access();
    }

    int replication() {
        return own.replication();
    }

    /** Returns whether a time is possible for the last change. */
    boolean changedAt(long millis) {
        return own.atLeast() ? millis >= own.mtime() : millis == own.mtime();
    }

    /** Returns the earliest possible time of the last change. */
    long mtime() {
        return own.mtime();
    }

    int size() {
        return names.length;
    }

    String name(int i) {
        return names[i];
    }

    Node node(int i) {
        return nodes[i];
    }

    @Nullable
    Node child(String name) {
        int at = Arrays.binarySearch(names, name);
        return at < 0 ? null : nodes[at];
    }

    /** Returns the number of the create that may still give the file its content; 0 for none. */
    long writer() {
        return own.writer();
    }

    /** Returns the file with its content, written at a time or later. */
    Node withContent(String written, long notBefore) {
        return new Node(new Own(written, own.access(), own.replication(), notBefore, true, 0), names, nodes);
    }

    Node with(Access access) {
        return new Node(
                new Own(own.content(), access, own.replication(), own.mtime(), own.atLeast(), own.writer()),
                names,
                nodes);
    }

    Node withReplication(int other) {
        return new Node(
                new Own(own.content(), own.access(), other, own.mtime(), own.atLeast(), own.writer()), names, nodes);
    }

    /** Returns the node with an explicitly set time. */
    Node withTime(long millis) {
        return new Node(own.at(millis, false), names, nodes);
    }

    /** Returns the directory with children changed at a time or later. */
    Node touched(long notBefore) {
        return new Node(own.at(Math.max(own.mtime(), notBefore), true), names, nodes);
    }

    /** Returns the directory with a child added or replaced. */
    Node with(String name, Node child) {
        int at = Arrays.binarySearch(names, name);
        if (at >= 0) {
            Node[] replaced = nodes.clone();
            replaced[at] = child;
            return new Node(own, names, replaced);
        }
        int to = -at - 1;
        String[] moreNames = new String[names.length + 1];
        Node[] moreNodes = new Node[names.length + 1];
        System.arraycopy(names, 0, moreNames, 0, to);
        System.arraycopy(nodes, 0, moreNodes, 0, to);
        moreNames[to] = name;
        moreNodes[to] = child;
        System.arraycopy(names, to, moreNames, to + 1, names.length - to);
        System.arraycopy(nodes, to, moreNodes, to + 1, names.length - to);
        return new Node(own, moreNames, moreNodes);
    }

    Node without(String name) {
        int at = Arrays.binarySearch(names, name);
        if (at < 0) {
            return this;
        }
        String[] lessNames = new String[names.length - 1];
        Node[] lessNodes = new Node[names.length - 1];
        System.arraycopy(names, 0, lessNames, 0, at);
        System.arraycopy(nodes, 0, lessNodes, 0, at);
        System.arraycopy(names, at + 1, lessNames, at, lessNames.length - at);
        System.arraycopy(nodes, at + 1, lessNodes, at, lessNodes.length - at);
        return new Node(own, lessNames, lessNodes);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Node node && fingerprint == node.fingerprint;
    }

    @Override
    public int hashCode() {
        return Long.hashCode(fingerprint);
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        show("/", text);
        return text.toString();
    }

    private void show(String path, StringBuilder text) {
        text.append("\n  ")
                .append(path)
                .append(isDirectory() ? " dir " : " file ")
                .append(Integer.toOctalString(mode()))
                .append(own.access().acl() == null ? "" : " " + own.access().acl())
                .append(' ')
                .append(owner())
                .append(':')
                .append(group())
                .append(' ')
                .append(content(), 0, Math.min(content().length(), 12));
        for (int i = 0; i < names.length; i++) {
            nodes[i].show((path.equals("/") ? "/" : path + "/") + names[i], text);
        }
    }
}
