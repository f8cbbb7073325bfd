{{- /* A pod that runs one command of the command line in a client's directory: list of the context, the arguments, and what differs, if
  anything: its component, resources, volumes, mounts and env. */ -}}
{{- define "lambdafs.tools" -}}
{{- $root := index . 0 -}}
{{- $tools := $root.Values.tools -}}
{{- $own := (gt (len .) 2) | ternary (last .) dict -}}
{{- $component := $own.component | default "tools" -}}
{{- $arguments := list -}}
{{- range index . 1 }}{{ $arguments = append $arguments (include "lambdafs.text" .) }}{{ end -}}
metadata:
  {{- include "lambdafs.podMetadata" (list $root $component $tools) | nindent 2 }}
spec:
  restartPolicy: Never
  {{- include "lambdafs.podSpec" (list $root $component $tools) | nindent 2 }}
  containers:
    - name: {{ $component }}
      {{- include "lambdafs.container" (list $root (include "lambdafs.image" $root) (merge (dict) ($own.resources | default dict) $tools.resources)) | nindent 6 }}
      command: [java, "@/app/roles/lambdafs"]
      args: {{ toJson $arguments }}
      env:
        - {name: LAMBDAFS_DIR, value: /etc/lambdafs-client}
        {{- range $own.env }}
        - {{ toJson . }}
        {{- end }}
        {{- include "lambdafs.extra" (list $root $tools "extraEnv") | nindent 8 }}
      {{- with include "lambdafs.text" $root.Values.datanode.credentials }}
      envFrom:
        - secretRef: {name: {{ . | quote }}}
      {{- end }}
      volumeMounts:
        - {name: client, mountPath: /etc/lambdafs-client, readOnly: true}
        - {name: tmp, mountPath: /tmp}
        {{- range $own.mounts }}
        - {{ toJson . }}
        {{- end }}
        {{- include "lambdafs.extra" (list $root $tools "extraVolumeMounts") | nindent 8 }}
  volumes:
    {{- include "lambdafs.clientDirectory" $root | nindent 4 }}
    - name: tmp
      emptyDir: {sizeLimit: 256Mi}
    {{- range $own.volumes }}
    - {{ toJson . }}
    {{- end }}
    {{- include "lambdafs.extra" (list $root $tools "extraVolumes") | nindent 4 }}
{{- end }}

{{- /* The container that formats the store: an init container of the gateway, or a Job's. */ -}}
{{- define "lambdafs.format" -}}
- name: format
  {{- include "lambdafs.container" (list . (include "lambdafs.image" .) .Values.format.resources) | nindent 2 }}
  command: [java, "@/app/roles/lambdafs", format, --conf, /etc/lambdafs/function.json]
  {{- include "lambdafs.env" (list . .Values.gateway list) | nindent 2 }}
  volumeMounts:
    {{- include "lambdafs.mounts" (list . .Values.gateway) | nindent 4 }}
{{- end }}

{{- /* The pod that the gateway makes instances of. */ -}}
{{- define "lambdafs.instancePod" -}}
{{- $own := .Values.instance -}}
{{- $image := include "lambdafs.image" . -}}
{{- with include "lambdafs.text" $own.image }}{{ $image = include "lambdafs.mirrored" (list $ .) }}{{ end -}}
apiVersion: v1
kind: Pod
metadata:
  {{- include "lambdafs.podMetadata" (list . "instance" $own) | nindent 2 }}
spec:
  {{- include "lambdafs.podSpec" (list . "instance" $own) | nindent 2 }}
  terminationGracePeriodSeconds: {{ .Values.pool.stopGraceSeconds }}
  containers:
    - name: instance
      {{- $limits := dict }}{{ with include "lambdafs.text" $own.cpuLimit }}{{ $limits = dict "limits" (dict "cpu" .) }}{{ end }}
      {{- include "lambdafs.container" (list . $image (merge (dict "requests" (dict "cpu" (include "lambdafs.text" $own.cpuRequest))) $limits)) | nindent 6 }}
      command: [java, "@/app/roles/instance"]
      env:
        - {name: LAMBDAFS_CONF, value: /etc/lambdafs/function.json}
        - {name: LAMBDAFS_ACTION_PORT, value: "8080"}
        - name: LAMBDAFS_ADVERTISED_HOST
          valueFrom: {fieldRef: {fieldPath: status.podIP}}
        - name: LAMBDAFS_ACTION_KEY
          valueFrom: {secretKeyRef: {name: {{ include "lambdafs.secret" . }}, key: actionkey}}
        {{- include "lambdafs.extra" (list . $own "extraEnv") | nindent 8 }}
      {{- if .Values.datanode.direct }}
      envFrom:
        - secretRef: {name: {{ include "lambdafs.text" .Values.datanode.credentials | quote }}}
      {{- end }}
      ports:
        - {name: http, containerPort: 8080}
      livenessProbe:
        # Not its health: an instance that cannot reach the store is of use again once it can.
        httpGet: {{ include "lambdafs.page" (list . "/metrics" "http") }}
        initialDelaySeconds: 30
        periodSeconds: 10
        timeoutSeconds: 5
        failureThreshold: 6
      volumeMounts:
        {{- include "lambdafs.mounts" (list . $own) | nindent 8 }}
  volumes:
    {{- include "lambdafs.volumes" (list . (list "secret") $own) | nindent 4 }}
{{- end }}

{{- /* The volume with a client's directory, whose secret lets it act for any user. */ -}}
{{- define "lambdafs.clientDirectory" -}}
- name: client
  projected:
    defaultMode: 0400
    sources:
      - configMap: {name: {{ include "lambdafs.fullname" . }}-client}
      - secret:
          name: {{ include "lambdafs.secret" . }}
          items:
            - {key: secret, path: secret}
            {{- if .Values.gateway.enabled }}
            - {key: apikey, path: apikey}
            - {key: managementkey, path: managementkey}
            {{- end }}
      {{- if .Values.tls.enabled }}
      - secret:
          name: {{ include "lambdafs.tls" . }}
          items:
            - {key: ca.crt, path: ca.crt}
            - {key: tls.crt, path: tls.crt}
            - {key: tls.key, path: tls.key}
      {{- end }}
{{- end }}
