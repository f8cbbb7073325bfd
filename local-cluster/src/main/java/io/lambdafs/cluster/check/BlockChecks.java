package io.lambdafs.cluster.check;

import io.lambdafs.cluster.settings.BlockPlace;
import io.lambdafs.cluster.settings.BlockSettings;
import io.lambdafs.cluster.settings.ClusterDirectory;
import io.lambdafs.cluster.settings.ClusterSettings;
import io.lambdafs.model.block.ObjectKey;
import io.lambdafs.model.disk.FileTrouble;
import io.lambdafs.model.disk.PrivateFolder;
import io.lambdafs.rpc.objects.ObjectPlace;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Doctor's check that the block store is where datanodes expect it. Stateless. */
final class BlockChecks {
    private static final int HTTP_PORT = 80;
    private static final int HTTPS_PORT = 443;

    private BlockChecks() {}

    static List<Finding> look(ClusterDirectory directory, ClusterSettings settings) {
        BlockSettings blocks = settings.blocks();
        if (blocks.datanodes() == 0 && !blocks.direct()) {
            return List.of(Finding.ok("blocks", "no datanodes are wanted: only small files can be written"));
        }
        return blocks.places().stream()
                .map(each -> look(directory, blocks, each))
                .toList();
    }

    private static Finding look(ClusterDirectory directory, BlockSettings blocks, BlockPlace at) {
        if (at.isRemote()) {
            if (blocks.endpoint().isEmpty() || !ObjectPlace.of(at.place()).isS3()) {
                return Finding.unknown(
                        "blocks",
                        at.place() + " is a cloud's: "
                                + (blocks.direct()
                                        ? "it was looked at when the cluster started"
                                        : "datanodes ask for it, see their health"));
            }
            URI endpoint = URI.create(blocks.endpoint());
            int standard = "https".equals(endpoint.getScheme()) ? HTTPS_PORT : HTTP_PORT;
            int port = endpoint.getPort() < 0 ? standard : endpoint.getPort();
            return ServiceChecks.reach("blocks", endpoint.getHost() + ":" + port);
        }
        Path place = Path.of(at.in(directory));
        if (!Files.isDirectory(place)) {
            return Files.exists(directory.log("datanode-1"))
                    ? Finding.fault(
                            "blocks",
                            "the directory " + place + " has gone",
                            "files that are not small can neither be written nor read",
                            "mount or restore it, or set \"blocks.place\"")
                    : Finding.unknown("blocks", "no datanode was ever started");
        }
        if (!Files.isWritable(place)) {
            return Finding.fault(
                    "blocks",
                    "the directory " + place + " is not writable",
                    "no block can be written",
                    "give it to the user who starts the cluster");
        }
        return openTo(place)
                .map(mode -> Finding.fault(
                        "blocks",
                        place + " is " + mode,
                        "whoever is on this machine reads every file, whatever its mode",
                        "chmod 700 " + place))
                .orElseGet(() -> Finding.ok("blocks", "in " + place));
    }

    /**
     * Returns the mode of a directory whose blocks others may read; empty if it is closed to them, or the folder within
     * it is.
     */
    private static Optional<String> openTo(Path place) {
        try {
            Optional<String> mode = PrivateFolder.openTo(place);
            Path within = place.resolve(ObjectKey.BLOCKS);
            return mode.isPresent()
                            && Files.isDirectory(within)
                            && PrivateFolder.openTo(within).isEmpty()
                    ? Optional.empty()
                    : mode;
        } catch (IOException e) {
            throw FileTrouble.of("cannot look at " + place, e);
        }
    }
}
