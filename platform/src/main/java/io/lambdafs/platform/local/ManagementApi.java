package io.lambdafs.platform.local;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.platform.Json;
import io.lambdafs.platform.MetricsPage;
import io.lambdafs.platform.Prices;
import io.lambdafs.platform.local.pool.InstancePool;
import io.lambdafs.platform.local.pool.InstanceView;
import io.lambdafs.platform.local.pool.UsageView;
import io.lambdafs.rpc.http.HttpCall;
import io.lambdafs.rpc.http.HttpReply;

/**
 * {@code /lambdafs/v1/}: serves what OpenWhisk's API lacks: instances, usage and cost, the scaling limit. Thread-safe.
 */
final class ManagementApi {
    private static final String LISTINGS = "lambdafs_listings_total";

    private final InstancePool pool;
    private final GatewayMetrics metrics;
    private final Prices prices;
    private final ErrorReplies errors;

    ManagementApi(InstancePool pool, GatewayMetrics metrics, Prices prices, ErrorReplies errors) {
        this.pool = pool;
        this.metrics = metrics;
        this.prices = prices;
        this.errors = errors;
    }

    /** @param path below {@code /lambdafs/v1/} */
    HttpReply handle(HttpCall call, String path) {
        String asked = call.method() + " " + path;
        if (asked.equals("GET instances")) {
            return instances();
        }
        if (asked.equals("GET usage")) {
            return usage();
        }
        if (asked.equals("GET scaling")) {
            return scaling();
        }
        if (asked.equals("PUT scaling")) {
            return scale(call);
        }
        if (asked.startsWith("POST instances/") && asked.endsWith("/kill")) {
            String id = path.substring("instances/".length(), path.length() - "/kill".length());
            return pool.kill(id)
                    ? ErrorReplies.json(202, versioned().put("id", id).put("killed", true))
                    : errors.notFound();
        }
        return errors.notFound();
    }

    private HttpReply instances() {
        ObjectNode root = versioned();
        ArrayNode list = root.putArray("instances");
        for (InstanceView each : pool.instances()) {
            ObjectNode node = list.addObject()
                    .put("deployment", each.deployment())
                    .put("id", each.id())
                    .put("state", each.state())
                    .put("endpoint", each.endpoint())
                    .put("ageSeconds", each.ageMillis() / 1000.0)
                    .put("activations", each.activations())
                    .put("inFlight", each.inFlight())
                    .put("billedMillis", each.billedMillis())
                    .put("cacheHits", each.cacheHits());
            each.pid().ifPresent(pid -> node.put("pid", pid));
            each.coldStartMillis().ifPresent(millis -> node.put("coldStartMillis", millis));
            each.ofSteadyCost().ifPresent(ratio -> node.put("ofSteadyCost", ratio));
        }
        return ErrorReplies.json(200, root);
    }

    private HttpReply usage() {
        UsageView usage = pool.usage();
        UsageView.Deployment total = usage.total();
        ObjectNode root = versioned();
        cost(root.putObject("cost"), total);
        share(root, total);
        listings(root.putObject("listings"));
        root.set("outcomes", metrics.outcomes());
        root.set("starts", metrics.starts());
        root.put("prewarmed", usage.prewarmed());
        root.putObject("memory").put("usedMb", usage.memoryUsedMb()).put("poolMb", usage.memoryPoolMb());
        ObjectNode deployments = root.putObject("deployments");
        usage.deployments().forEach((name, deployment) -> {
            ObjectNode node = deployments.putObject(name);
            share(node, deployment);
            cost(node.putObject("cost"), deployment);
        });
        return ErrorReplies.json(200, root);
    }

    private void listings(ObjectNode node) {
        MetricsPage told = pool.functionMetrics();
        node.put("pages", Math.round(told.sum(LISTINGS)))
                .put("read", Math.round(told.sum(LISTINGS, "from", "filled") + told.sum(LISTINGS, "from", "page")));
    }

    private static void share(ObjectNode node, UsageView.Deployment share) {
        node.put("instances", share.instances())
                .put("peakInstances", share.peakInstances())
                .put("queued", share.queued())
                .put("activations", share.activations())
                .put("billedMillis", share.billedMillis())
                .put("provisionedMillis", share.provisionedMillis());
    }

    private void cost(ObjectNode node, UsageView.Deployment share) {
        node.put("payPerUseUsd", prices.usd(share.billedMbMillis(), share.activations()))
                .put("provisionedUsd", prices.usd(share.provisionedMbMillis(), share.activations()))
                .put("gbSeconds", Prices.gbSeconds(share.billedMbMillis()))
                .put("provisionedGbSeconds", Prices.gbSeconds(share.provisionedMbMillis()))
                .put("requests", share.activations());
    }

    private HttpReply scaling() {
        return ErrorReplies.json(200, versioned().put("maxInstances", pool.maxInstances()));
    }

    private HttpReply scale(HttpCall call) {
        try {
            JsonNode wanted = Json.parseObject(call.body()).path("maxInstances");
            if (!wanted.canConvertToInt() || !wanted.isIntegralNumber()) {
                throw new IllegalArgumentException("maxInstances must be an integer");
            }
            pool.maxInstances(wanted.asInt());
            return scaling();
        } catch (IllegalArgumentException e) {
            return errors.malformed(String.valueOf(e.getMessage()));
        }
    }

    private static ObjectNode versioned() {
        return Json.object().put("schema", 1);
    }
}
