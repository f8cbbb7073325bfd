package io.lambdafs.hadoop.convert;

import io.lambdafs.client.LambdaFs;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.inode.StoragePolicies;
import io.lambdafs.model.operation.AttributeOperation;
import io.lambdafs.model.operation.Reply;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.apache.hadoop.fs.BlockStoragePolicySpi;
import org.apache.hadoop.fs.StorageType;
import org.jspecify.annotations.Nullable;

/**
 * Hadoop's view of a storage policy: one of HDFS's, with its storage types, or that of a named block store. Immutable.
 */
public final class StoragePolicy implements BlockStoragePolicySpi {
    private static final StorageType[] NONE = {};

    private final String name;

    private StoragePolicy(String name) {
        this.name = name;
    }

    public static StoragePolicy of(LambdaFs client, FsPath path) throws IOException {
        String found =
                Failures.await(client.storagePolicy(path), path.toString()).policy();
        return new StoragePolicy(found.isEmpty() ? StoragePolicies.DEFAULT : found);
    }

    public static Collection<StoragePolicy> all(LambdaFs client) throws IOException {
        Reply.StoragePolicy root = Failures.await(client.storagePolicy(FsPath.ROOT), "/");
        List<StoragePolicy> all = new ArrayList<>();
        StoragePolicies.STANDARD.forEach(each -> all.add(new StoragePolicy(each)));
        root.stores().stream()
                .filter(each -> StoragePolicies.STANDARD.stream().noneMatch(each::equalsIgnoreCase))
                .forEach(each -> all.add(new StoragePolicy(each)));
        return all;
    }

    /** @param policy empty to inherit the directory's */
    public static void set(LambdaFs client, FsPath path, String policy) throws IOException {
        try {
            new AttributeOperation.SetStoragePolicy(path, policy);
        } catch (FsException refused) {
            throw Failures.of(refused, path.toString());
        }
        Failures.await(client.setStoragePolicy(path, policy), path.toString());
    }

    @Override
    public String getName() {
        return name;
    }

    @Override
    public StorageType[] getStorageTypes() {
        return switch (name) {
            case "WARM" -> new StorageType[] {StorageType.DISK, StorageType.ARCHIVE};
            case "COLD" -> new StorageType[] {StorageType.ARCHIVE};
            case "ALL_SSD" -> new StorageType[] {StorageType.SSD};
            case "ONE_SSD" -> new StorageType[] {StorageType.SSD, StorageType.DISK};
            case StoragePolicies.LAZY_PERSIST -> new StorageType[] {StorageType.RAM_DISK, StorageType.DISK};
            case "ALL_NVDIMM" -> new StorageType[] {StorageType.NVDIMM};
            case "PROVIDED" -> new StorageType[] {StorageType.PROVIDED, StorageType.DISK};
            default -> new StorageType[] {StorageType.DISK};
        };
    }

    /** {@inheritDoc} The fallback is the unnamed block store. */
    @Override
    public StorageType[] getCreationFallbacks() {
        return NONE;
    }

    @Override
    public StorageType[] getReplicationFallbacks() {
        return NONE;
    }

    @Override
    public boolean isCopyOnCreateFile() {
        return name.equals(StoragePolicies.LAZY_PERSIST);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof StoragePolicy policy && name.equals(policy.name);
    }

    @Override
    public int hashCode() {
        return name.hashCode();
    }

    @Override
    public String toString() {
        return name;
    }
}
