package io.lambdafs.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.client.BlockingLambdaFs;
import io.lambdafs.client.LambdaFs;
import io.lambdafs.cluster.settings.Json;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.block.LocatedBlock;
import io.lambdafs.model.inode.Attributes;
import io.lambdafs.model.inode.INode;
import io.lambdafs.model.operation.Placement;
import io.lambdafs.model.operation.ReadOperation;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/** Tells the attributes of a path, its blocks, and the deployment that serves it. Stateless. */
public final class PathInfo {
    private PathInfo() {}

    /** Returns what a client may know of a path, ready to print as JSON. */
    public static ObjectNode ask(BlockingLambdaFs fs, FsPath path) throws InterruptedException {
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

    /** Returns the same as lines of text. */
    public static List<String> lines(ObjectNode info) {
        List<String> lines = new ArrayList<>();
        for (Map.Entry<String, JsonNode> each : info.properties()) {
            String key = each.getKey();
            JsonNode value = each.getValue();
            String name = key.replaceAll("([A-Z])", " $1").toLowerCase(Locale.ROOT);
            if (key.equals("blocks")) {
                lines.add(name + ":");
                value.forEach(block -> lines.add(block(block)));
            } else if (!key.equals("schema") && !shown(key, value).isEmpty()) {
                lines.add(String.format("%-18s %s", name, shown(key, value)));
            }
        }
        return lines;
    }

    private static String shown(String key, JsonNode value) {
        if (value.isArray()) {
            return joined(value);
        }
        return value.isNumber() && !key.equals("id")
                ? String.format(Locale.ROOT, "%,d", value.asLong())
                : value.asText();
    }

    private static String block(JsonNode block) {
        String store = block.get("store").asText();
        return String.format(
                Locale.ROOT,
                "  %,15d + %,d bytes  id %d  %s%s  at %s",
                block.get("offset").asLong(),
                block.get("bytes").asLong(),
                block.get("id").asLong(),
                store.isEmpty() ? "" : store + ":",
                block.get("key").asText(),
                block.get("datanodes").isEmpty() ? "no datanode" : joined(block.get("datanodes")));
    }

    private static String joined(JsonNode texts) {
        return StreamSupport.stream(texts.spliterator(), false)
                .map(JsonNode::asText)
                .collect(Collectors.joining(", "));
    }
}
