package io.lambdafs.testing.history;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A file or directory of the model, with everything below it. Immutable; a change makes new nodes on the way to it and shares the rest.
 * Equal where nobody could tell the difference: compared by a 64-bit fingerprint, for states are compared all the time.
 */
final class Node {
    /** In place of a file's time that nobody has set. */
    static final long ANY_TIME = -1;

    private static final String[] NO_NAMES = {};
    private static final Node[] NO_NODES = {};

    private final @Nullable String content;
    private final int mode;
    private final int replication;
    private final long mtime;
    private final long writer;
    private final String[] names;
    private final Node[] nodes;
    private final long fingerprint;

    private Node(Own own, String[] names, Node[] nodes) {
        this.content = own.content();
        this.mode = own.mode();
        this.replication = own.replication();
        this.mtime = own.mtime();
        this.writer = own.writer();
        this.names = names;
        this.nodes = nodes;
        long sum = mix(own.content() == null ? 1 : own.content().hashCode(), own.content() == null ? 2 : 3);
        sum = mix(sum, (long) own.mode() << 32 | own.replication());
        sum = mix(mix(sum, own.mtime()), own.writer());
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
     * What is a node's own.
     *
     * @param content null of a directory
     * @param writer of an empty file that may be given its content yet: the number of the creation; else 0
     */
    private record Own(@Nullable String content, int mode, int replication, long mtime, long writer) {}

    private Own own() {
        return new Own(content, mode, replication, mtime, writer);
    }

    static Node directory(int mode) {
        return new Node(new Own(null, mode, 0, ANY_TIME, 0), NO_NAMES, NO_NODES);
    }

    static Node file(String content, int mode, int replication) {
        return new Node(new Own(content, mode, replication, ANY_TIME, 0), NO_NAMES, NO_NODES);
    }

    /** An empty file that the creation of this number may give its content yet. */
    static Node open(int mode, int replication, long writer) {
        return new Node(new Own("", mode, replication, ANY_TIME, writer), NO_NAMES, NO_NODES);
    }

    boolean isDirectory() {
        return content == null;
    }

    /** Empty of a directory. */
    String content() {
        return content == null ? "" : content;
    }

    int mode() {
        return mode;
    }

    int replication() {
        return replication;
    }

    long mtime() {
        return mtime;
    }

    /** Who may give the file its content yet; 0 for nobody. */
    long writer() {
        return writer;
    }

    Node withContent(String written) {
        return new Node(new Own(written, mode, replication, ANY_TIME, 0), names, nodes);
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

    Node withMode(int other) {
        return new Node(new Own(content, other, replication, mtime, writer), names, nodes);
    }

    Node withReplication(int other) {
        return new Node(new Own(content, mode, other, mtime, writer), names, nodes);
    }

    Node withTime(long other) {
        return new Node(new Own(content, mode, replication, other, writer), names, nodes);
    }

    /** With a child added or replaced. */
    Node with(String name, Node child) {
        int at = Arrays.binarySearch(names, name);
        Own own = own();
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
        return new Node(own(), lessNames, lessNodes);
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
                .append(Integer.toOctalString(mode))
                .append(' ')
                .append(content(), 0, Math.min(content().length(), 12));
        for (int i = 0; i < names.length; i++) {
            nodes[i].show((path.equals("/") ? "/" : path + "/") + names[i], text);
        }
    }
}
