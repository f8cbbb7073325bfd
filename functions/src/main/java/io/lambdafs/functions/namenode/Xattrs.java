package io.lambdafs.functions.namenode;

import io.lambdafs.functions.namenode.transaction.LockedRows;
import io.lambdafs.functions.namenode.transaction.Restart;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.WireReader;
import io.lambdafs.model.WireWriter;
import io.lambdafs.model.inode.INode;
import io.lambdafs.model.inode.Principal;
import io.lambdafs.model.operation.AttributeOperation;
import io.lambdafs.model.operation.Operation;
import io.lambdafs.model.operation.ReadOperation.GetTotals;
import io.lambdafs.model.operation.Reply;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Read;
import io.lambdafs.store.Row;
import io.lambdafs.store.Rows;
import io.lambdafs.store.format.FormatLevel;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** HDFS's rules for extended attributes, stored in one row per INode. Stateless. */
public final class Xattrs {
    /** Maximum number of attributes per INode. */
    private static final int MOST = 32;

    private static final String USER = "user.";
    private static final String TRUSTED = "trusted.";

    private Xattrs() {}

    /** Returns the locks for changing extended attributes, beyond the INode's row. */
    public static List<Read> locks(long inodeId) {
        return List.of(Read.exclusive(Rows.xattrsKey(inodeId)), Read.shared(FormatLevel.KEY));
    }

    /**
     * Decides a change under the locks.
     *
     * @param mutations receives the changes to store, except the INode
     * @return the changed INode
     */
    public static INode change(AttributeOperation operation, INode node, LockedRows rows, List<Mutation> mutations) {
        FormatLevel.XATTRS.check(
                rows.row(FormatLevel.KEY), "\"" + operation.path() + "\" can have no extended attribute");
        SortedMap<String, byte[]> values = read(node, rows.row(Rows.xattrsKey(node.id())));
        if (operation instanceof AttributeOperation.SetXattr set) {
            put(set, values);
        } else if (operation instanceof AttributeOperation.RemoveXattr remove && values.remove(remove.name()) == null) {
            throw none(remove.name(), remove.path());
        }
        mutations.add(
                values.isEmpty()
                        ? new Mutation.Delete(Rows.xattrsKey(node.id()))
                        : new Mutation.Put(new Row(Rows.xattrsKey(node.id()), (Object) write(values))));
        return node.withXattrs(!values.isEmpty());
    }

    private static void put(AttributeOperation.SetXattr set, SortedMap<String, byte[]> values) {
        boolean there = values.containsKey(set.name());
        if (there && !set.replace()) {
            throw new FsException(
                    ErrorCode.ALREADY_EXISTS, "\"" + set.path() + "\" has the extended attribute " + set.name());
        }
        if (!there && !set.create()) {
            throw none(set.name(), set.path());
        }
        values.put(set.name(), set.value());
        if (values.size() > MOST) {
            throw new FsException(
                    ErrorCode.NOT_ALLOWED,
                    "\"" + set.path() + "\" has " + MOST + " extended attributes, and no more are kept");
        }
    }

    private static FsException none(String name, FsPath path) {
        return new FsException(ErrorCode.NO_XATTR, "\"" + path + "\" has no extended attribute " + name);
    }

    /** Checks that a caller may set or remove an attribute. */
    public static void checkChange(Access access, Principal who, Operation<?> operation, INode node) {
        String name = operation instanceof AttributeOperation.SetXattr set
                ? set.name()
                : ((AttributeOperation.RemoveXattr) operation).name();
        boolean isUsers = name.startsWith(USER) && name.length() > USER.length() && !name.startsWith(GetTotals.XATTRS);
        boolean isTrusted = name.startsWith(TRUSTED) && name.length() > TRUSTED.length();
        if (!isUsers && !(isTrusted && access.isSuperuser(who))) {
            throw new FsException(
                    ErrorCode.PERMISSION_DENIED,
                    "permission denied: user=" + who.user() + ": everybody has extended attributes named " + USER
                            + "…, a superuser those named " + TRUSTED + "…, and nobody \"" + name + "\"");
        }
        if (node.isDirectory() && (node.mode() & INode.STICKY) != 0) {
            access.checkOwner(who, node, operation.path());
        } else {
            access.check(who, node, Access.WRITE, operation.path());
        }
    }

    /** Returns the attributes of a row visible to a caller. */
    public static Reply.Xattrs shown(INode node, @Nullable Row row, boolean withValues, boolean trusted) {
        SortedMap<String, byte[]> values = read(node, row);
        values.keySet().removeIf(name -> name.startsWith(TRUSTED) && !trusted);
        if (!withValues) {
            values.replaceAll((name, value) -> new byte[0]);
        }
        return new Reply.Xattrs(values);
    }

    private static SortedMap<String, byte[]> read(INode node, @Nullable Row row) {
        SortedMap<String, byte[]> values = new TreeMap<>();
        if (row == null && node.hasXattrs()) {
            throw Restart.changed("the extended attributes");
        }
        if (row != null) {
            WireReader in = new WireReader(row.bytes(0));
            while (in.remaining() > 0) {
                values.put(in.readString(), in.readBytes());
            }
        }
        return values;
    }

    private static byte[] write(SortedMap<String, byte[]> values) {
        WireWriter out = new WireWriter();
        values.forEach((name, value) -> {
            out.writeString(name);
            out.writeBytes(value);
        });
        return out.toByteArray();
    }
}
