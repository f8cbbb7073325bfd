/**
 * The NameNode as a serverless function (the paper's §3): its configuration, the NameNode and the wiring of an
 * instance. Subpackages hold the operations, the cache, the coherence protocol and the chores, none of which depends on
 * the NameNode, the serving code shared by all platforms, and a thin entry per platform.
 */
@NullMarked
package io.lambdafs.functions;

import org.jspecify.annotations.NullMarked;
