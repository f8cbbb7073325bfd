package io.lambdafs.cluster.settings;

import io.lambdafs.model.inode.StoragePolicies;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The data with which a command opens a cluster's block stores. Immutable.
 *
 * @param places of the block stores, the default one first
 * @param endpoint of object stores other than Amazon's; empty otherwise
 * @param encryption server-side, of object stores; empty for the bucket's default
 * @param scratch folder below which the command may keep files while it runs
 */
public record BlockAccess(List<BlockPlace> places, String endpoint, String encryption, Path scratch) {
    public BlockAccess {
        places = List.copyOf(places);
    }

    /** Returns the names of the block stores that policies name. */
    public List<String> names() {
        return places.stream()
                .map(BlockPlace::store)
                .filter(StoragePolicies::isNamed)
                .map(StoragePolicies::nameOf)
                .toList();
    }

    /** Returns the places by their names in the metadata. */
    public Map<String, String> byName() {
        return places.stream().collect(Collectors.toMap(BlockPlace::store, BlockPlace::place));
    }
}
