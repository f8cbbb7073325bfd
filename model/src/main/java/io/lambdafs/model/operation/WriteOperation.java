package io.lambdafs.model.operation;

/** Operations that may change the namespace, and therefore use a slot. Sealed by families; immutable. */
public sealed interface WriteOperation<R extends Reply> extends Operation<R>
        permits NamespaceOperation, FileOperation, BlockOperation, AttributeOperation, BulkDelete {
    @Override
    default boolean isWrite() {
        return true;
    }

    @Override
    default <T> T dispatch(Families<T> families) {
        return families.write(this);
    }

    <T> T accept(Visitor<T> visitor);

    @Override
    default <T> T accept(Operation.Visitor<T> visitor) {
        return accept((Visitor<T>) visitor);
    }

    /** One method per operation of every family, and one for the bulk delete. */
    interface Visitor<T>
            extends NamespaceOperation.Visitor<T>,
                    FileOperation.Visitor<T>,
                    BlockOperation.Visitor<T>,
                    AttributeOperation.Visitor<T> {
        T bulkDelete(BulkDelete operation);
    }
}
