package io.lambdafs.functions.subtree;

import io.lambdafs.functions.namenode.Access;
import io.lambdafs.functions.namenode.OperationContext;
import io.lambdafs.functions.namenode.Xattrs;
import io.lambdafs.functions.namenode.transaction.Call;
import io.lambdafs.functions.namenode.transaction.LockedRows;
import io.lambdafs.functions.namenode.write.AclWrite;
import io.lambdafs.functions.namenode.write.QuotaWrite;
import io.lambdafs.functions.namenode.write.StoragePolicyWrite;
import io.lambdafs.model.inode.DirectoryStats;
import io.lambdafs.model.inode.INode;
import io.lambdafs.model.operation.AttributeOperation;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Read;
import io.lambdafs.store.Rows;
import io.lambdafs.store.format.FormatLevel;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;

/** Maps each attribute operation to its change of a directory. Immutable. */
record DirectoryAttributes(OperationContext context, Call call)
        implements AttributeOperation.Visitor<DirectoryAttribute> {
    @Override
    public DirectoryAttribute setPermission(AttributeOperation.SetPermission chmod) {
        return node -> {
            context.access().checkOwner(call.caller(), node, chmod.path());
            return node.withMode(chmod.mode());
        };
    }

    @Override
    public DirectoryAttribute setOwner(AttributeOperation.SetOwner chown) {
        return node -> context.access().changeOwner(call.caller(), chown, node);
    }

    @Override
    public DirectoryAttribute setTimes(AttributeOperation.SetTimes times) {
        return new DirectoryAttribute() {
            @Override
            public INode allowed(INode node) {
                context.access().check(call.caller(), node, Access.WRITE, times.path());
                return node.withTimes(node.mtime(), times.atime() < 0 ? node.atime() : times.atime());
            }

            @Override
            public INode change(INode node, LockedRows rows, List<Mutation> mutations) {
                if (times.mtime() >= 0) {
                    // A change of the children takes a shared lock on this row, so the count cannot change here.
                    DirectoryStats stats = Rows.stats(rows.row(Rows.statsKey(node.id())));
                    mutations.add(new Mutation.Put(
                            Rows.stats(node.id(), new DirectoryStats(stats.children(), times.mtime()))));
                }
                return allowed(node);
            }
        };
    }

    @Override
    public DirectoryAttribute setXattr(AttributeOperation.SetXattr xattr) {
        return new Xattr(xattr);
    }

    @Override
    public DirectoryAttribute removeXattr(AttributeOperation.RemoveXattr xattr) {
        return new Xattr(xattr);
    }

    @Override
    public DirectoryAttribute changeAcl(AttributeOperation.ChangeAcl acl) {
        return new Levelled(
                node -> AclWrite.change(context, call, acl, node),
                (node, rows) -> AclWrite.change(context, call, acl, node, rows));
    }

    @Override
    public DirectoryAttribute setStoragePolicy(AttributeOperation.SetStoragePolicy policy) {
        return new Levelled(
                node -> StoragePolicyWrite.change(context, call, policy, node),
                (node, rows) -> StoragePolicyWrite.change(context, call, policy, node, rows));
    }

    @Override
    public DirectoryAttribute setQuota(AttributeOperation.SetQuota quota) {
        return new DirectoryAttribute() {
            @Override
            public INode allowed(INode node) {
                QuotaWrite.check(context, call, quota);
                return node;
            }

            @Override
            public List<Read> locks(INode node) {
                return QuotaWrite.locks(node);
            }

            @Override
            public INode change(INode node, LockedRows rows, List<Mutation> mutations) {
                return QuotaWrite.change(quota, allowed(node), rows, mutations);
            }
        };
    }

    @Override
    public DirectoryAttribute changeSnapshots(AttributeOperation.ChangeSnapshots change) {
        return new SnapshotChange(context, call, change);
    }

    @Override
    public DirectoryAttribute setReplication(AttributeOperation.SetReplication operation) {
        throw new IllegalArgumentException("a directory has no replication");
    }

    @Override
    public DirectoryAttribute setSafeMode(AttributeOperation.SetSafeMode operation) {
        throw new IllegalArgumentException("the safe mode is no directory's");
    }

    /** An attribute introduced with a format level. */
    private record Levelled(UnaryOperator<INode> permitted, BiFunction<INode, LockedRows, INode> changed)
            implements DirectoryAttribute {
        @Override
        public INode allowed(INode node) {
            return permitted.apply(node);
        }

        @Override
        public List<Read> locks(INode node) {
            return List.of(Read.shared(FormatLevel.KEY));
        }

        @Override
        public INode change(INode node, LockedRows rows, List<Mutation> mutations) {
            return changed.apply(node, rows);
        }
    }

    private final class Xattr implements DirectoryAttribute {
        private final AttributeOperation operation;

        Xattr(AttributeOperation operation) {
            this.operation = operation;
        }

        @Override
        public INode allowed(INode node) {
            Xattrs.checkChange(context.access(), call.caller(), operation, node);
            return node;
        }

        @Override
        public List<Read> locks(INode node) {
            return Xattrs.locks(node.id());
        }

        @Override
        public INode change(INode node, LockedRows rows, List<Mutation> mutations) {
            return Xattrs.change(operation, allowed(node), rows, mutations);
        }
    }
}
