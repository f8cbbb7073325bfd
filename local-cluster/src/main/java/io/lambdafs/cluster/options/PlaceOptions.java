package io.lambdafs.cluster.options;

import io.lambdafs.cluster.blocks.OperatedCluster;
import io.lambdafs.cluster.terminal.Console;
import java.util.List;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The cluster whose block stores a command opens, and their places. */
public final class PlaceOptions {
    @Mixin
    private OperatedOptions cluster = new OperatedOptions();

    @Option(
            names = "--blocks",
            paramLabel = "[NAME=]PLACE",
            description =
                    "For a cluster elsewhere: directory or bucket of the block store that datanode list shows as NAME "
                            + "(default: from DIR, or NAME itself if it is a place).")
    private List<String> places = List.of();

    @Option(
            names = "--blocks-endpoint",
            paramLabel = "URL",
            description = "For a cluster elsewhere: object store to use instead of Amazon's (default: from DIR).")
    private String endpoint = "";

    /** Returns the selected cluster. */
    public OperatedCluster find(Console console) {
        return cluster.find(console, places, endpoint);
    }
}
