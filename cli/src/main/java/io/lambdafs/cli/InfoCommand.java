package io.lambdafs.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.cli.cluster.ClusterCommand;
import io.lambdafs.client.BlockingLambdaFs;
import io.lambdafs.client.LambdaFs;
import io.lambdafs.client.config.ClientConfig;
import io.lambdafs.cluster.options.DirectoryOption;
import io.lambdafs.cluster.settings.ClusterDirectory;
import io.lambdafs.cluster.settings.Json;
import io.lambdafs.cluster.terminal.CommandFailure;
import io.lambdafs.cluster.terminal.Console;
import io.lambdafs.cluster.terminal.ExitCode;
import io.lambdafs.cluster.terminal.Version;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.block.LocatedBlock;
import io.lambdafs.model.inode.Attributes;
import io.lambdafs.model.inode.INode;
import io.lambdafs.model.operation.Placement;
import io.lambdafs.model.operation.ReadOperation;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code lambdafs info PATH}. */
@Command(
        name = "info",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false,
        description = {
            "Show the attributes, blocks and deployment of a path.",
            "Needs the rights of a stat, and READ for the blocks of a file."
        })
public final class InfoCommand implements Callable<Integer> {
    private final Console console;

    @Mixin
    private DirectoryOption directory = new DirectoryOption();

    @Parameters(paramLabel = "PATH", description = "File or directory.")
    private String path = "";

    @Mixin
    private ClusterCommand.JsonOption json = new ClusterCommand.JsonOption();

    InfoCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() {
        ObjectNode info;
        FsPath asked = FsPath.of(path);
        ClusterDirectory cluster = directory.find();
        FsCommand.demandAnswers(cluster, List.of());
        try (BlockingLambdaFs fs = BlockingLambdaFs.open(ClientConfig.load(cluster.client()))) {
            info = ask(fs, asked);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CommandFailure(ExitCode.FAILED, ErrorCode.INTERNAL, "interrupted");
        }
        if (json.wanted()) {
            console.print(info.toString());
        } else {
            info.properties().forEach(each -> {
                if (!each.getKey().equals("schema")) {
                    text(each.getKey(), each.getValue());
                }
            });
        }
        return ExitCode.OK.number();
    }

    private static ObjectNode ask(BlockingLambdaFs fs, FsPath path) throws InterruptedException {
        LambdaFs client = fs.async();
        Attributes found = fs.stat(path);
        ObjectNode info = Json.object()
                .put("schema", 1)
                .put("path", path.toString())
                .put("type", found.isDirectory() ? "directory" : "file")
                .put("id", found.id())
                .put("owner", found.owner())
                .put("group", found.group())
                .put("mode", String.format(Locale.ROOT, "%04o", found.mode()))
                .put("acl", found.hasAcl())
                .put("modified", Instant.ofEpochMilli(found.mtime()).toString());
        ArrayNode names = info.putArray("xattrs");
        BlockingLambdaFs.await(client.xattrs(path, false)).keySet().forEach(names::add);
        info.put("policy", BlockingLambdaFs.await(client.storagePolicy(path)).policy());
        Placement placement = client.placement();
        info.put("deployments", placement.deployments()).put("servedBy", placement.owner(path));
        if (found.isDirectory()) {
            info.put("childrenServedBy", placement.ofChildren(path)).put("children", found.children());
        } else {
            info.put("accessed", Instant.ofEpochMilli(found.atime()).toString())
                    .put("bytes", found.size())
                    .put("replication", found.replication())
                    .put("blockSize", found.blockSize())
                    .put("content", found.content().name().toLowerCase(Locale.ROOT));
            if (found.content() == INode.Content.BLOCKS || found.content() == INode.Content.WRITING) {
                addBlocks(fs, path, found.size(), info.putArray("blocks"));
            }
        }
        return info;
    }

    /** Adds the blocks of a file; each call returns a few hundred. */
    private static void addBlocks(BlockingLambdaFs fs, FsPath path, long size, ArrayNode blocks)
            throws InterruptedException {
        long end = 0;
        while (end < size) {
            List<LocatedBlock> some =
                    fs.execute(new ReadOperation.Open(path, end)).blocks();
            for (LocatedBlock each : some) {
                ArrayNode datanodes = blocks.addObject()
                        .put("offset", each.offset())
                        .put("bytes", each.block().length())
                        .put("id", each.block().id())
                        .put("generation", each.block().generation())
                        .put("store", each.store())
                        .put("key", each.key())
                        .putArray("datanodes");
                each.datanodes().forEach(datanode -> datanodes.add(datanode.host() + ":" + datanode.port()));
            }
            if (some.isEmpty()) {
                return; // Truncated meanwhile.
            }
            LocatedBlock last = some.get(some.size() - 1);
            end = last.offset() + last.block().length();
        }
    }

    private void text(String key, JsonNode value) {
        String name = key.replaceAll("([A-Z])", " $1").toLowerCase(Locale.ROOT);
        if (key.equals("blocks")) {
            console.print(name + ":");
            value.forEach(each -> console.print(String.format(
                    Locale.ROOT,
                    "  %,15d + %,d bytes  id %d  %s%s  at %s",
                    each.get("offset").asLong(),
                    each.get("bytes").asLong(),
                    each.get("id").asLong(),
                    each.get("store").asText().isEmpty()
                            ? ""
                            : each.get("store").asText() + ":",
                    each.get("key").asText(),
                    each.get("datanodes").isEmpty() ? "no datanode" : joined(each.get("datanodes")))));
        } else if (value.isArray()) {
            if (!value.isEmpty()) {
                console.print(String.format("%-18s %s", name, joined(value)));
            }
        } else if (!value.asText().isEmpty()) {
            String shown = value.isNumber() && !key.equals("id")
                    ? String.format(Locale.ROOT, "%,d", value.asLong())
                    : value.asText();
            console.print(String.format("%-18s %s", name, shown));
        }
    }

    private static String joined(JsonNode texts) {
        return StreamSupport.stream(texts.spliterator(), false)
                .map(JsonNode::asText)
                .collect(Collectors.joining(", "));
    }
}
