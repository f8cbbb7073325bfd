/** What users read on their terminals, and what scripts see. */
package io.lambdafs.cluster.terminal;
