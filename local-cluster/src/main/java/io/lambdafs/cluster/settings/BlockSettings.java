package io.lambdafs.cluster.settings;

import static io.lambdafs.cluster.settings.SettingsCheck.check;

import io.lambdafs.model.FsException;
import io.lambdafs.model.inode.StoragePolicies;
import io.lambdafs.rpc.objects.ObjectPlace;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Settings of block storage.
 *
 * @param datanodes processes per block store; with 0 only small files can be written, unless clients access object
 *     stores directly
 * @param place a directory, or {@code s3://BUCKET/PREFIX}; empty for {@code blocks/} in the cluster's directory
 * @param stores further block stores by storage policy name, each a directory or {@code s3://BUCKET/PREFIX}
 * @param endpoint URL of object stores other than Amazon's; empty otherwise
 * @param encryption server-side encryption of object stores; empty for the bucket's default
 * @param direct whether clients access object stores directly, by presigned URLs
 * @param cacheMb size of a datanode's disk cache for an object store's objects; 0 for none
 * @param heapMb of a datanode's process
 * @param reportMinutes interval at which datanodes compare each bucket with the metadata; 0 for never
 */
public record BlockSettings(
        int datanodes,
        String place,
        Map<String, String> stores,
        String endpoint,
        String encryption,
        boolean direct,
        int cacheMb,
        int heapMb,
        int reportMinutes) {
    /** The settings key whose children are block store names. */
    static final String STORES = "blocks.stores";

    public static final String REMOTE = "://";
    private static final String S3 = "s3://";
    private static final String PLACES =
            "a directory, s3://BUCKET[/PREFIX], az://CONTAINER[/PREFIX] or gs://BUCKET[/PREFIX]";
    private static final int MOST_PLACE_CHARS = 128;

    public BlockSettings {
        stores = Collections.unmodifiableMap(new LinkedHashMap<>(stores));
        int most = Service.MOST_DATANODES / (1 + stores.size());
        check(datanodes >= 0 && datanodes <= most, "blocks.datanodes", "0.." + most, datanodes);
        check(isPlace(place), "blocks.place", PLACES, place);
        stores.forEach((name, each) -> {
            check(
                    StoragePolicies.isName(name) && name.equals(name.toLowerCase(Locale.ROOT)),
                    STORES + "." + name,
                    "named with up to 32 of a-z 0-9 _ -, the first a letter",
                    name);
            check(!each.isEmpty() && isPlace(each), STORES + "." + name, PLACES, each);
        });
        endpoint = endpoint.replaceFirst("/+$", "");
        check(
                endpoint.isEmpty() || isRight(ObjectPlace::endpoint, endpoint),
                "blocks.endpoint",
                "http://HOST[:PORT] or https://HOST[:PORT], or empty",
                endpoint);
        check(
                endpoint.isEmpty()
                        || place.startsWith(S3)
                        || stores.values().stream().anyMatch(each -> each.startsWith(S3)),
                "blocks.endpoint",
                "empty for a directory",
                endpoint);
        check(
                encryption.matches("|AES256|aws:kms|aws:kms:dsse"),
                "blocks.encryption",
                "AES256, aws:kms or aws:kms:dsse, or empty",
                encryption);
        check(
                !direct || (place.contains(REMOTE) && stores.values().stream().allMatch(each -> each.contains(REMOTE))),
                "blocks.direct",
                "false unless all blocks are at s3://, az:// or gs:// places",
                direct);
        check(cacheMb >= 0, "blocks.cacheMb", "0 or more", cacheMb);
        check(heapMb >= 64, "blocks.heapMb", "at least 64", heapMb);
        check(reportMinutes >= 0, "blocks.reportMinutes", "0 or more", reportMinutes);
    }

    private static boolean isPlace(String place) {
        return !place.contains(REMOTE) || (place.length() <= MOST_PLACE_CHARS && isRight(ObjectPlace::of, place));
    }

    private static boolean isRight(Consumer<String> parser, String text) {
        try {
            parser.accept(text);
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /** Returns all block stores, the unnamed one first. */
    public List<BlockPlace> places() {
        List<BlockPlace> places = new ArrayList<>();
        // A directory may be moved, so the metadata does not use its path.
        places.add(new BlockPlace(place.contains(REMOTE) ? place : "local", place));
        stores.forEach((name, each) -> places.add(new BlockPlace(StoragePolicies.store(name), each)));
        return List.copyOf(places);
    }

    /**
     * Returns the data with which a command opens the block stores of a cluster in a directory.
     *
     * @throws FsException {@code INVALID_ARGUMENT} as {@link #checkApart}
     */
    public BlockAccess access(ClusterDirectory directory) {
        checkApart(directory);
        return new BlockAccess(
                places().stream()
                        .map(each -> new BlockPlace(each.store(), each.in(directory)))
                        .toList(),
                endpoint,
                encryption,
                directory.run());
    }

    /** Returns the locations of block stores by their names in the metadata. */
    public Map<String, String> placesByName() {
        return places().stream().collect(Collectors.toMap(BlockPlace::store, BlockPlace::place));
    }

    /**
     * Checks that block stores are not nested, in which case they would share objects.
     *
     * @throws FsException {@code INVALID_ARGUMENT}
     */
    public void checkApart(ClusterDirectory directory) {
        List<BlockPlace> places = places();
        for (BlockPlace one : places) {
            for (BlockPlace other : places) {
                check(
                        one.equals(other) || !(other.in(directory) + "/").startsWith(one.in(directory) + "/"),
                        STORES,
                        "places outside one another, and outside " + one.in(directory),
                        other.in(directory));
            }
        }
    }

    /** Returns the block store that a datanode serves. */
    public BlockPlace served(Service datanode) {
        return places().get((datanode.number() - 1) / datanodes);
    }
}
